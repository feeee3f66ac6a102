import { AcceptanceChart, AcceptanceLegend, type WeekRate } from '../../charts/acceptance-chart.tsx'

interface WeekChartProps {
  /** The Mondays of all weeks, also of those without findings. */
  readonly weeks: readonly string[]
  readonly rates: readonly WeekRate[]
}

export function WeekChart({ weeks, rates }: WeekChartProps) {
  return (
    <>
      <AcceptanceChart weeks={weeks} rates={rates} />
      <AcceptanceLegend />
    </>
  )
}
