import { useCallback, useState } from 'react'

const WIDTH_BEFORE_LAYOUT = 760

/** The width of the element that holds a chart. A chart is drawn at its real size, so that its labels stay readable. */
export function useWidth(): readonly [(element: HTMLDivElement | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(WIDTH_BEFORE_LAYOUT)
  const frame = useCallback((element: HTMLDivElement | null) => {
    if (element === null) return undefined
    // Without a width there is nothing to draw: the page is being laid out.
    const measure = () => {
      if (element.clientWidth > 0) setWidth(Math.round(element.clientWidth))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [frame, width]
}
