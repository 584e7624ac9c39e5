import type { LucideIcon } from 'lucide-react'
import { firstIcons } from './icons/first-icons.ts'
import type { IconName } from './icon-names.ts'

const drawings: Partial<Record<IconName, LucideIcon>> = { ...firstIcons }

/** Makes further drawings known, before anything that shows them is rendered. */
export const addIcons = (more: Readonly<Partial<Record<IconName, LucideIcon>>>): void => {
  Object.assign(drawings, more)
}

/** Icons that point along the line of reading; they are mirrored where that runs from right to left. */
const directed: readonly IconName[] = ['back', 'chevron-right', 'log-in', 'log-out', 'undo', 'folder-input']

type IconProps = { readonly name: IconName; readonly size?: number; readonly className?: string | undefined }

/** A picture beside or inside something that has a name of its own; never read out. `size` in CSS pixels. */
export function Icon({ name, size = 18, className }: IconProps) {
  const Drawing = drawings[name]
  if (Drawing === undefined) return null
  return (
    <Drawing
      size={size}
      strokeWidth={1.75}
      aria-hidden
      focusable={false}
      {...(directed.includes(name) && { 'data-directed': '' })}
      className={className ?? ''}
    />
  )
}
