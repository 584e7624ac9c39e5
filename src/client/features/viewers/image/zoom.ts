/** A point or a size in CSS pixels. */
export type Point = { readonly x: number; readonly y: number }
export type Size = { readonly width: number; readonly height: number }

/**
 * The zoom of an image: `scale` is 1 when the image fits the view, and `offset` is the distance of the image's centre
 * from the centre of the view in CSS pixels.
 */
export type ImageView = { readonly scale: number; readonly offset: Point }

const centre: Point = { x: 0, y: 0 }
export const fittedView: ImageView = { scale: 1, offset: centre }

/** The smallest scale, and the step of the wheel and of the keys (ux 2.15). */
export const minScale = 0.25
export const scaleStep = 0.25

/** The scales through which a double click goes. */
const doubleClickScales = [1, 2, 4] as const

/** Returns the size of an image that fits into the view. A smaller image keeps its natural size. */
export function fittedSize(natural: Size, view: Size): Size {
  const ratio = Math.min(1, view.width / natural.width, view.height / natural.height)
  return { width: natural.width * ratio, height: natural.height * ratio }
}

/** Returns the size of an image in the orientation of a smaller version of it. */
export const uprightSize = ({ width, height }: Size, version: Size): Size =>
  width > height === version.width > version.height ? { width, height } : { width: height, height: width }

/** Returns the largest scale: the natural size of the image, and four times the fitted size beyond it. */
export const maxScaleOf = (natural: Size, fitted: Size): number =>
  (fitted.width === 0 ? 1 : natural.width / fitted.width) + 4

/** Returns the scale after a double click: 1, 2, 4 and 1 again. */
export const scaleAfterDoubleClick = (scale: number): number =>
  doubleClickScales.find((next) => next > scale + scaleStep / 2) ?? 1

export type ZoomLimits = { readonly fitted: Size; readonly view: Size; readonly maxScale: number }

/**
 * Changes the scale so that the point of the image under `focus` stays where it is. `focus` is the distance from the
 * centre of the view.
 */
export function zoomTo(
  before: ImageView,
  { scale, focus = centre }: { readonly scale: number; readonly focus?: Point },
  limits: ZoomLimits,
): ImageView {
  const allowed = Math.min(limits.maxScale, Math.max(minScale, scale))
  const ratio = allowed / before.scale
  const offset = {
    x: focus.x - (focus.x - before.offset.x) * ratio,
    y: focus.y - (focus.y - before.offset.y) * ratio,
  }
  return within({ scale: allowed, offset }, limits)
}

/** Moves the image by a distance. */
export const moveBy = ({ scale, offset }: ImageView, by: Point, limits: ZoomLimits): ImageView =>
  within({ scale, offset: { x: offset.x + by.x, y: offset.y + by.y } }, limits)

/** Keeps the image in the view: it is moved as far as its edges, and an image that fits stays in the middle. */
function within({ scale, offset }: ImageView, { fitted, view }: ZoomLimits): ImageView {
  const room = {
    x: Math.max(0, (fitted.width * scale - view.width) / 2),
    y: Math.max(0, (fitted.height * scale - view.height) / 2),
  }
  return { scale, offset: { x: clamp(offset.x, room.x), y: clamp(offset.y, room.y) } }
}

/** Limits a value to the range from `-limit` to `limit`, without a negative zero. */
const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value)) + 0
