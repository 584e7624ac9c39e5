/** A colour as red, green and blue, each from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number]

/** Matches the colours that can be an accent, because shades of them are computed: `#rgb` and `#rrggbb`. */
const hexColor = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** Returns true for a colour that can be an accent, and for an empty text. */
export const isAccent = (text: string): boolean => text === '' || hexColor.test(text)

/** The least contrast of text with its background (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5

const white = '#ffffff'
const black = '#000000'

/** The backgrounds of links, from `tokens.css`: those with the least contrast to dark and to light text. */
const canvas = { light: '#edeff3', dark: '#262b35' } as const

function rgbOf(color: string): Rgb {
  const digits = color.length === 4 ? color.replaceAll(/[0-9a-f]/gi, '$&$&') : color
  const value = Number.parseInt(digits.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

function luminanceOf(color: string): number {
  const [red, green, blue] = rgbOf(color).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Returns a colour with a part of another one, from 0 to 1. */
function mixed(color: string, other: string, part: number): string {
  const [from, to] = [rgbOf(color), rgbOf(other)]
  return hexOf([0, 1, 2].map((at) => from[at]! + (to[at]! - from[at]!) * part) as unknown as Rgb)
}

/** Returns the shade of a colour that is nearest to it and that can be read on a background. */
function readable(color: string, background: string, towards: string): string {
  for (let part = 0; part < 1; part += 0.05) {
    const shade = mixed(color, towards, part)
    if (contrastOf(shade, background) >= leastContrast) return shade
  }
  return towards
}

/** The colours that follow from an accent in one theme. */
export type AccentShades = {
  readonly accent: string
  readonly hover: string
  /** The colour of text on the accent. */
  readonly onAccent: string
  /** The colour of links and of the focus ring. */
  readonly text: string
  /** The background of what is selected, on which links and all other texts can be read. */
  readonly selected: string
}

/** The surface of the pages and the palest text on it, from `tokens.css`. */
const surfaces = {
  light: { surface: white, palest: '#5f6775', leastPart: 0.85 },
  dark: { surface: '#15181e', palest: '#97a0ae', leastPart: 0.6 },
} as const

/** Returns a surface with as much of an accent as leaves the texts on it readable. */
function selectedBackground(accent: string, text: string, theme: 'light' | 'dark'): string {
  const { surface, palest, leastPart } = surfaces[theme]
  for (let part: number = leastPart; part < 1; part += 0.05) {
    const background = mixed(accent, surface, part)
    if ([text, palest].every((color) => contrastOf(color, background) >= leastContrast)) return background
  }
  return surface
}

/** Returns the colours that follow from an accent. Those of text always have the least contrast. */
export function accentShades(accent: string, theme: 'light' | 'dark'): AccentShades {
  const text =
    theme === 'light' ? readable(accent, canvas.light, black) : readable(accent, canvas.dark, white)
  const isWhiteReadable = contrastOf(accent, white) >= leastContrast
  return {
    accent,
    hover: mixed(accent, isWhiteReadable ? black : white, 0.15),
    onAccent: isWhiteReadable ? white : black,
    text,
    selected: selectedBackground(accent, text, theme),
  }
}

/** Returns the themes in which links get another shade, because they could not be read in the accent itself. */
export const unreadableThemes = (accent: string): readonly ('light' | 'dark')[] =>
  (['light', 'dark'] as const).filter((theme) => contrastOf(accent, canvas[theme]) < leastContrast)
