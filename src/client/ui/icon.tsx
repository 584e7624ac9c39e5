import type { IconNode } from 'lucide'
import { createElement } from 'react'
import { firstIcons } from './icons/first-icons.ts'
import type { IconName } from './icon-names.ts'

const drawings: Partial<Record<IconName, IconNode>> = { ...firstIcons }

/** Registers drawings. Call it before a component that uses them is rendered. */
export const addIcons = (more: Readonly<Partial<Record<IconName, IconNode>>>): void => {
  Object.assign(drawings, more)
}

/** Icons that point in the reading direction. They are mirrored in right-to-left languages. */
const directed: readonly IconName[] = [
  'back',
  'chevron-right',
  'external',
  'log-in',
  'log-out',
  'next',
  'previous',
  'undo',
  'folder-input',
]

type IconProps = { readonly name: IconName; readonly size?: number; readonly className?: string | undefined }

/**
 * Renders an icon, hidden from screen readers: the element around it has the accessible name. `size` is in CSS pixels
 * at the usual text size, and the icon grows with the text.
 */
export function Icon({ name, size = 18, className }: IconProps) {
  const drawing = drawings[name]
  if (drawing === undefined) return null
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
      {...(directed.includes(name) && { 'data-directed': '' })}
      className={className}
    >
      {drawing.map(([shape, attributes], index) => createElement(shape, { ...attributes, key: index }))}
    </svg>
  )
}
