import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import {
  fittedSize,
  fittedView,
  type ImageView,
  maxScaleOf,
  moveBy,
  type Point,
  scaleAfterDoubleClick,
  scaleStep,
  type Size,
  type ZoomLimits,
  zoomTo,
} from './zoom.ts'

const noSize: Size = { width: 0, height: 0 }

export type ImageZoom = {
  readonly view: ImageView
  /** The size of the image at scale 1, in CSS pixels. */
  readonly fitted: Size
  readonly limits: ZoomLimits
  readonly change: (next: (before: ImageView, limits: ZoomLimits) => ImageView) => void
}

/**
 * Holds how an image is shown in a stage. `natural` is the size of the image in pixels, or null until it is known. When a
 * larger version of the image replaces a smaller one, the image keeps its size on screen.
 */
export function useImageZoom(stage: RefObject<HTMLElement | null>, natural: Size | null): ImageZoom {
  const [view, setView] = useState(fittedView)
  const [known, setKnown] = useState(natural)
  const stageSize = useSizeOf(stage)
  const fitted = natural === null ? noSize : fittedSize(natural, stageSize)
  if (known?.width !== natural?.width || known?.height !== natural?.height) {
    setKnown(natural)
    if (known !== null && natural !== null && view.scale !== 1)
      setView({ ...view, scale: (view.scale * fittedSize(known, stageSize).width) / fitted.width })
  }
  const limits = { fitted, view: stageSize, maxScale: natural === null ? 1 : maxScaleOf(natural, fitted) }
  return { view, fitted, limits, change: (next) => setView((before) => next(before, limits)) }
}

function useSizeOf(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(noSize)
  useEffect(() => {
    const observed = element.current
    if (observed === null) return undefined
    const observer = new ResizeObserver(() =>
      setSize({ width: observed.clientWidth, height: observed.clientHeight }),
    )
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return size
}

/**
 * Zooms and moves an image with the mouse, the wheel and the fingers: the wheel and two fingers zoom at their place, a
 * double click or tap goes through the scales 1, 2 and 4, and dragging moves an enlarged image.
 */
export function useImageGestures(stage: RefObject<HTMLElement | null>, zoom: ImageZoom): void {
  const change = useEffectEvent<ImageZoom['change']>((next) => zoom.change(next))
  useEffect(() => {
    const element = stage.current
    if (element === null) return undefined
    const pointers = new Map<number, Point>()
    const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
    }
    const listeners = {
      wheel: (event: WheelEvent): void => {
        event.preventDefault()
        const focus = pointOf(event)
        change((before, limits) =>
          zoomTo(before, { scale: before.scale - Math.sign(event.deltaY) * scaleStep, focus }, limits),
        )
      },
      dblclick: (event: MouseEvent): void => {
        const focus = pointOf(event)
        change((before, limits) =>
          zoomTo(before, { scale: scaleAfterDoubleClick(before.scale), focus }, limits),
        )
      },
      pointerdown: (event: PointerEvent): void => {
        if (event.button !== 0) return
        pointers.set(event.pointerId, pointOf(event))
        element.setPointerCapture(event.pointerId)
      },
      pointermove: (event: PointerEvent): void => {
        const from = pointers.get(event.pointerId)
        if (from === undefined) return
        const to = pointOf(event)
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
        pointers.set(event.pointerId, to)
        if (other === undefined)
          change((before, limits) => moveBy(before, { x: to.x - from.x, y: to.y - from.y }, limits))
        else
          change((before, limits) =>
            zoomTo(before, { scale: pinchedScale(before, { from, to, other }), focus: other }, limits),
          )
      },
      pointerup: (event: PointerEvent): void => void pointers.delete(event.pointerId),
      pointercancel: (event: PointerEvent): void => void pointers.delete(event.pointerId),
    }
    return listen(element, listeners)
  }, [stage])
}

type Pinch = { readonly from: Point; readonly to: Point; readonly other: Point }

/** Returns the scale after one of two fingers has moved: it changes as the distance of the fingers does. */
function pinchedScale({ scale }: ImageView, { from, to, other }: Pinch): number {
  const before = Math.hypot(from.x - other.x, from.y - other.y)
  return before === 0 ? scale : (scale * Math.hypot(to.x - other.x, to.y - other.y)) / before
}

/** Adds listeners to an element. They may prevent the default of the event. Returns a function that removes them. */
function listen(
  element: HTMLElement,
  listeners: { readonly [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void },
): () => void {
  const abort = new AbortController()
  for (const [type, listener] of Object.entries(listeners))
    element.addEventListener(type, listener as EventListener, { passive: false, signal: abort.signal })
  return () => abort.abort()
}
