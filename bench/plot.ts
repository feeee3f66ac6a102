/** A point with fewer rows than requested is drawn hollow. */
export interface Point {
  readonly x: number
  readonly y: number
  readonly hollow: boolean
}

export interface Panel {
  readonly title: string
  /** By name; every panel has the same names. */
  readonly series: Readonly<Record<string, readonly Point[]>>
}

export interface Plot {
  readonly title: string
  readonly notes: readonly string[]
  readonly xLabel: string
  readonly yLabel: string
  readonly xTicks: readonly number[]
  readonly columns: number
  readonly panels: readonly Panel[]
}

const WIDTH = 270
const HEIGHT = 170
const LEFT = 62
const TOP = 96
const GAP_X = 30
const GAP_Y = 58
const LINE = 17
const INK = '#24292f'
const FAINT = '#57606a'
const GRID = '#d8dee4'
// Each series has its own mark, so that it is recognizable without colour.
const styles = [
  { colour: '#0072b2', mark: (fill: string) => `<circle r="4.5" ${fill}/>` },
  { colour: '#d55e00', mark: (fill: string) => `<rect x="-4" y="-4" width="8" height="8" ${fill}/>` },
  { colour: '#009e73', mark: (fill: string) => `<path d="M0,-5.5 L5,4 L-5,4 Z" ${fill}/>` },
] as const
type Style = (typeof styles)[number]

/** Panels of lines with a logarithmic x axis and a y axis from zero, on an opaque card for any background. */
export function drawPlot(plot: Plot): string {
  const { columns, panels, notes } = plot
  const rows = Math.ceil(panels.length / columns)
  const width = LEFT + columns * (WIDTH + GAP_X)
  const bottom = TOP + rows * (HEIGHT + GAP_Y)
  const height = bottom + 14 + notes.length * LINE
  const top = niceTop(panels)
  const names = Object.keys(panels[0]?.series ?? {})
  const drawn = panels.map((panel, index) => {
    const x = LEFT + (index % columns) * (WIDTH + GAP_X)
    const y = TOP + Math.floor(index / columns) * (HEIGHT + GAP_Y)
    return `<g transform="translate(${x},${y})">${drawPanel(plot, panel, top)}</g>`
  })
  const middle = TOP + (bottom - TOP - GAP_Y) / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="#ffffff" stroke="${GRID}"/>
${write(LEFT, 30, plot.title, `font-size="16" font-weight="600" fill="${INK}"`)}
${drawLegend(names)}
${drawn.join('\n')}
<g transform="translate(20,${middle}) rotate(-90)">${write(0, 0, plot.yLabel, `fill="${INK}" text-anchor="middle"`)}</g>
${write(LEFT + (width - LEFT - GAP_X) / 2, bottom - 12, plot.xLabel, `fill="${INK}" text-anchor="middle"`)}
${notes.map((note, line) => write(LEFT, bottom + 10 + line * LINE, note, `fill="${FAINT}"`)).join('\n')}
</svg>
`
}

function drawPanel({ xTicks, panels, columns }: Plot, panel: Panel, top: number): string {
  const x = xScale(xTicks)
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT
  const steps = Array.from({ length: 5 }, (_, step) => (top * step) / 4)
  const first = panels.indexOf(panel) % columns === 0
  const lines = Object.values(panel.series).map((points, index) => {
    const style = getStyle(index)
    const path = points.map((point) => `${round(x(point.x))},${round(y(point.y))}`).join(' ')
    const marks = points.map(
      (point) =>
        `<g transform="translate(${round(x(point.x))},${round(y(point.y))})">${renderMark(style, point.hollow)}</g>`,
    )
    return `<polyline points="${path}" fill="none" stroke="${style.colour}" stroke-width="2"/>${marks.join('')}`
  })
  return [
    write(0, -10, panel.title, `fill="${INK}" font-weight="600"`),
    ...steps.map((value) => `<line x2="${WIDTH}" y1="${y(value)}" y2="${y(value)}" stroke="${GRID}"/>`),
    ...(first ? steps : []).map((value) =>
      write(-8, y(value) + 4, String(round(value)), `fill="${FAINT}" text-anchor="end"`),
    ),
    ...xTicks.map((tick) =>
      write(x(tick), HEIGHT + 17, formatCount(tick), `fill="${FAINT}" text-anchor="middle"`),
    ),
    ...lines,
  ].join('\n')
}

function drawLegend(names: readonly string[]): string {
  let x = LEFT
  const entries = names.map((name, index) => {
    const style = getStyle(index)
    const entry = `<g transform="translate(${x},54)"><line x1="0" x2="24" stroke="${style.colour}" stroke-width="2"/>
<g transform="translate(12,0)">${renderMark(style, false)}</g>${write(32, 4, name, `fill="${INK}"`)}</g>`
    x += 56 + name.length * 6.5
    return entry
  })
  return entries.join('\n')
}

function getStyle(index: number): Style {
  return styles[index % styles.length] ?? styles[0]
}

function renderMark({ colour, mark }: Style, hollow: boolean): string {
  return mark(`fill="${hollow ? '#ffffff' : colour}" stroke="${colour}" stroke-width="1.5"`)
}

/** Leaves room at both ends, so that a mark at the edge is whole. */
function xScale(ticks: readonly number[]): (value: number) => number {
  const [min, max] = [Math.log10(Math.min(...ticks)), Math.log10(Math.max(...ticks))]
  return (value) => 18 + ((Math.log10(value) - min) / (max - min)) * (WIDTH - 36)
}

function niceTop(panels: readonly Panel[]): number {
  const highest = Math.max(
    0.1,
    ...panels.flatMap(({ series }) => Object.values(series).flatMap((points) => points.map(({ y }) => y))),
  )
  const unit = 10 ** Math.floor(Math.log10(highest))
  return ([1, 2, 4, 6, 8, 10].find((times) => times * unit >= highest) ?? 10) * unit
}

function write(x: number, y: number, text: string, attributes: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escaped}</text>`
}

export function formatCount(count: number): string {
  if (count >= 1_000_000) return `${count / 1_000_000} M`
  return count >= 1_000 ? `${count / 1_000} k` : String(count)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
