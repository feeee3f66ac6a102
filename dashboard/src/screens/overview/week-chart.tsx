import { AcceptanceChart, AcceptanceLegend, type WeekRate } from '../../charts/acceptance-chart.tsx'

export function WeekChart({ weeks }: { readonly weeks: readonly WeekRate[] }) {
  return (
    <>
      <AcceptanceChart weeks={weeks} />
      <AcceptanceLegend />
    </>
  )
}
