import { useRef, useState } from 'react'
import type { IconDrawing } from './icon.tsx'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import type { MenuPlacement } from './menu/menu.tsx'
import { Menu } from './later-menu.ts'
import type { MenuEntry } from './menu/menu-entry.ts'

type MenuButtonProps = {
  readonly icon: IconDrawing
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly placement?: MenuPlacement
  /** The look of the button: an icon, or a filled button with its label. */
  readonly kind?: 'icon' | 'primary'
  readonly className?: string | undefined
  readonly tabIndex?: number
}

/** Renders a button that opens a menu. */
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
