import type { Page } from 'playwright-core'

/** The wishes for colours that the system passes from the user to a page. */
export type Appearance = {
  readonly name: string
  readonly colorScheme: 'light' | 'dark'
  readonly contrast: 'more' | null
  readonly forcedColors: 'active' | null
  /** The rules of axe that can have another result there than in the appearances before. */
  readonly rules: 'all' | 'colours'
}

const plain = { contrast: null, forcedColors: null } as const
const moreContrast = { contrast: 'more', forcedColors: null } as const
const forcedColours = { contrast: null, forcedColors: 'active' } as const

export const appearances: readonly Appearance[] = [
  { name: 'light', colorScheme: 'light', ...plain, rules: 'all' },
  { name: 'dark', colorScheme: 'dark', ...plain, rules: 'colours' },
  { name: 'light with more contrast', colorScheme: 'light', ...moreContrast, rules: 'colours' },
  { name: 'dark with more contrast', colorScheme: 'dark', ...moreContrast, rules: 'colours' },
  { name: 'light forced colours', colorScheme: 'light', ...forcedColours, rules: 'all' },
  { name: 'dark forced colours', colorScheme: 'dark', ...forcedColours, rules: 'colours' },
]

/** True when each check by axe is made in all appearances, as `npm run walk-appearances` does. */
export const areAllAppearancesChecked = process.env['CHECKED_APPEARANCES'] === 'all'

/**
 * Returns the icons and the edges of fields that are hardly visible: their contrast with what is behind them is below 3:1 (success
 * criterion 1.4.11), which axe does not measure. Parts that cannot be used now are left out, and so are parts above pictures. With
 * forced colours, returns the texts, too, that have the colour of the box that browsers put behind texts there.
 */
export const faintPartsIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    type Colour = readonly [red: number, green: number, blue: number, alpha: number]
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const known = new Map<string, Colour>()
    const colourOf = (text: string): Colour => {
      let colour = known.get(text)
      if (colour === undefined && context !== null && !/^(none|context-)/.test(text)) {
        context.clearRect(0, 0, 1, 1)
        context.fillStyle = text
        context.fillRect(0, 0, 1, 1)
        const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data
        known.set(text, (colour = [red, green, blue, alpha / 255]))
      }
      return colour ?? [0, 0, 0, 0]
    }
    const over = (front: Colour, back: Colour): Colour => {
      const mix = (at: 0 | 1 | 2) => front[at] * front[3] + back[at] * (1 - front[3])
      return [mix(0), mix(1), mix(2), 1]
    }
    const luminanceOf = (colour: Colour): number => {
      const linear = ([0, 1, 2] as const).map((at) => {
        const share = colour[at] / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0)
    }
    const contrastOf = (one: Colour, other: Colour): number => {
      const [bright = 0, dim = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
      return (bright + 0.05) / (dim + 0.05)
    }
    /** Returns the colour behind an element, or null when it cannot be known. */
    const behind = (element: Element | null): Colour | null => {
      const layers: Colour[] = []
      for (let at = element; at !== null; at = at.parentElement) {
        const style = getComputedStyle(at)
        if (style.backgroundImage !== 'none') return null
        layers.push(colourOf(style.backgroundColor))
        if (layers.at(-1)?.[3] === 1) break
        if (style.position === 'absolute' || style.position === 'fixed') {
          // A part that lies above others is not always inside of the part below it.
          const { left, top, width, height } = at.getBoundingClientRect()
          const below = document.elementsFromPoint(left + width / 2, top + height / 2)
          if (below.some((other) => /^(IMG|VIDEO|CANVAS|IFRAME)$/.test(other.tagName))) return null
        }
      }
      return layers.reduceRight<Colour>(
        (back, layer) => over(layer, back),
        colourOf(getComputedStyle(document.documentElement).colorScheme === 'dark' ? '#000' : '#fff'),
      )
    }
    const unusable = '[inert], :disabled, [aria-disabled="true"], .visually-hidden'
    const isShown = (element: Element): boolean => {
      const { width, height, left, top } = element.getBoundingClientRect()
      return (
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        width > 2 &&
        height > 2 &&
        left >= 0 &&
        top >= 0 &&
        left < innerWidth &&
        top < innerHeight &&
        element.closest(unusable) === null
      )
    }
    const owners = '[aria-label], button, a, [role], li, label'
    const nameOf = (element: Element): string => {
      const owner = element.closest(owners)
      return `${element.outerHTML.slice(0, 90)} in ${owner?.getAttribute('aria-label') ?? owner?.outerHTML.slice(0, 90) ?? ''}`
    }
    const faint: string[] = []
    for (const icon of document.querySelectorAll('svg')) {
      if (!isShown(icon) || icon.getBoundingClientRect().width > 200) continue
      const back = behind(icon)
      if (back === null) continue
      let best = 0
      // The document does not contain the shapes that a `use` element shows. The pictures of files show the colour of the text that way.
      const shapes = icon.querySelectorAll('path, circle, rect, line, polyline, polygon, ellipse, use')
      for (const shape of shapes) {
        const { color, fill, stroke, fillOpacity, strokeOpacity, opacity } = getComputedStyle(shape)
        for (const [text, share] of shape.tagName === 'use'
          ? ([[color, '1']] as const)
          : ([
              [fill, fillOpacity],
              [stroke, strokeOpacity],
            ] as const)) {
          const [red, green, blue, alpha] = colourOf(text)
          const colour: Colour = [red, green, blue, alpha * Number(share) * Number(opacity)]
          best = Math.max(best, contrastOf(over(colour, back), back))
        }
      }
      if (best < 3) faint.push(`icon ${best.toFixed(2)}: ${nameOf(icon)}`)
    }
    for (const field of document.querySelectorAll('input, select, textarea')) {
      const style = getComputedStyle(field)
      const isNative =
        style.appearance !== 'none' &&
        /^(checkbox|radio|range|color|file)$/.test((field as HTMLInputElement).type)
      if (!isShown(field) || isNative || (field as HTMLInputElement).type === 'range') continue
      let best = 0
      // The edge may be that of a box around the field and its buttons.
      for (
        let at: Element | null = field, steps = 0;
        at !== null && steps < 4;
        at = at.parentElement, steps += 1
      ) {
        const outside = behind(at.parentElement)
        if (outside === null) {
          best = 21
          break
        }
        const box = getComputedStyle(at)
        const edge =
          box.borderBottomStyle === 'none' || box.borderBottomWidth === '0px'
            ? null
            : colourOf(box.borderBottomColor)
        if (edge !== null) best = Math.max(best, contrastOf(over(edge, outside), outside))
        const outline = box.outlineStyle === 'none' ? null : colourOf(box.outlineColor)
        if (outline !== null) best = Math.max(best, contrastOf(over(outline, outside), outside))
        best = Math.max(best, contrastOf(over(colourOf(box.backgroundColor), outside), outside))
      }
      if (best < 3) faint.push(`edge ${best.toFixed(2)}: ${nameOf(field)}`)
    }
    if (matchMedia('(forced-colors: active)').matches) {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.color = 'Canvas'
      const boxColour = getComputedStyle(probe).color
      probe.remove()
      for (const element of document.body.querySelectorAll('*')) {
        const { color, forcedColorAdjust } = getComputedStyle(element)
        const hasText =
          [...element.childNodes].some(
            ({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim() !== '',
          ) || getComputedStyle(element, '::before').content.startsWith('"')
        if (hasText && color === boxColour && forcedColorAdjust !== 'none' && element.checkVisibility())
          faint.push(`text in the colour of its box: ${nameOf(element)}`)
      }
    }
    return [...new Set(faint)]
  })
