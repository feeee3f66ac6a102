import { Meter } from '@base-ui/react/meter'
import { formatCount } from '../../ui/format.ts'
import styles from './people.module.css'

export function SeatMeter({
  assigned,
  purchased,
}: {
  readonly assigned: number
  readonly purchased: number
}) {
  const free = Math.max(0, purchased - assigned)
  const text = `${formatCount(assigned)} used, ${formatCount(free)} free`
  return (
    <Meter.Root
      className={styles['meter']}
      value={Math.min(assigned, purchased)}
      max={Math.max(1, purchased)}
      getAriaValueText={() => text}
    >
      <Meter.Label className="visually-hidden">Seats</Meter.Label>
      <Meter.Track className={styles['track']}>
        <Meter.Indicator className={styles['indicator']} data-full={free === 0 || undefined} />
      </Meter.Track>
      <p className={styles['legend']}>{text}</p>
    </Meter.Root>
  )
}
