import { page } from 'vitest/browser'

/** Returns a colour as the digits of its red, green and blue: 1 for a bright, 0 for a dark, and 2 for another one. */
const nameOf = (values: readonly number[]): string =>
  values
    .slice(0, 3)
    .map((value) => (value > 200 ? 1 : value < 55 ? 0 : 2))
    .join('')

/** Returns the colours of a picture at the given parts of its width, in the middle of its height. */
export function coloursIn(image: HTMLImageElement | null, parts: readonly number[]): string[] {
  const canvas = new OffscreenCanvas(200, 100)
  const context = canvas.getContext('2d')
  if (image === null || context === null) return []
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return parts.map((part) =>
    nameOf([...context.getImageData(canvas.width * part, canvas.height / 2, 1, 1).data]),
  )
}

/** Returns the colour in the middle of an element as it is on screen, such as the current frame of an animation. */
export async function colourOnScreen(element: Element): Promise<string> {
  const base64 = await page.screenshot({ element, save: false })
  const image = new Image()
  image.src = `data:image/png;base64,${base64}`
  await image.decode()
  return coloursIn(image, [0.5])[0] ?? ''
}
