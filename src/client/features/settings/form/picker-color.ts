/** The colour that a picker shows for a text that is no colour. */
const noColor = '#808080'

/** Returns a colour of CSS as `#rrggbb`, the only notation that the picker of the browser knows. Transparency is left out. */
export function pickerColorOf(color: string): string {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null || !CSS.supports('color', color)) return noColor
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
