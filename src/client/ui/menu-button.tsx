import { useRef, useState } from 'react'
import type { IconName } from './icon-names.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import type { MenuPlacement } from './menu/menu.tsx'
import type { MenuEntry } from './menu/menu-entry.ts'
import { lazyPart } from '../state/parts/lazy-part.ts'

/** A failed load ahead of time is reported only when the menu is opened. */
const { Part: Menu, fetch: prepare } = lazyPart(async () => (await import('./menu/menu.tsx')).Menu)

type MenuButtonProps = {
  readonly icon: IconName
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly placement?: MenuPlacement
  /** The look of the button: an icon, or a filled button with its label. */
  readonly kind?: 'icon' | 'primary'
  readonly className?: string | undefined
  readonly tabIndex?: number
}

/**
 * Renders a button that opens a menu. The menu's code is loaded when the pointer or the focus reaches the button.
 */
export function MenuButton({
  icon,
  label,
  entries,
  placement = 'bottom end',
  kind = 'icon',
  className,
  tabIndex,
}: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const common = {
    ref: button,
    icon,
    tabIndex,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: () => setOpen(!isOpen),
  } as const
  return (
    <>
      {kind === 'primary' ? (
        <Button {...common} kind="primary" className={className}>
          {label}
        </Button>
      ) : (
        <IconButton {...common} label={label} className={className} />
      )}
      {isOpen && (
        <Menu
          label={label}
          entries={entries}
          anchor={button}
          placement={placement}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
