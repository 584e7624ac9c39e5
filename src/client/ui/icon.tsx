import type { IconNode } from 'lucide'
import { createElement } from 'react'

/** The drawing of an icon. A drawing that `directed` returns points in the reading direction. */
export type IconDrawing = IconNode | { readonly directed: IconNode }

/** Marks a drawing that points in the reading direction. It is mirrored in right-to-left languages. */
export const directed = (drawing: IconNode): IconDrawing => ({ directed: drawing })

type IconProps = {
  readonly icon: IconDrawing
  readonly size?: number
  readonly className?: string | undefined
}

/**
 * Renders an icon, hidden from screen readers: the element around it has the accessible name. `size` is in CSS pixels
 * at the usual text size, and the icon grows with the text.
 */
export function Icon({ icon, size = 18, className }: IconProps) {
  const isDirected = 'directed' in icon
  const drawing = isDirected ? icon.directed : icon
  const side = `${size / 16}rem`
  return (
    <svg
      width={side}
      height={side}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable={false}
      {...(isDirected && { 'data-directed': '' })}
      className={className}
    >
      {drawing.map(([shape, attributes], index) => createElement(shape, { ...attributes, key: index }))}
    </svg>
  )
}
