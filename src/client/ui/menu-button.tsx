import { lazy, Suspense, useRef, useState } from 'react'
import type { IconName } from './icon-names.ts'
import { IconButton } from './icon-button.tsx'
import type { MenuEntry } from './menu/menu-entry.ts'

const load = () => import('./menu/menu.tsx').then(({ Menu }) => ({ default: Menu }))
const Menu = lazy(load)

/** Loads the menu's code ahead of time. A failed load is reported only when the menu is opened. */
const prepare = (): void => void load().catch(() => undefined)

type MenuButtonProps = {
  readonly icon: IconName
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'right top'
  readonly className?: string
  readonly tabIndex?: number
}

/**
 * Renders an icon button that opens a menu. The menu's code is loaded when the pointer or the focus reaches the button.
 */
export function MenuButton({
  icon,
  label,
  entries,
  placement = 'bottom end',
  className,
  tabIndex,
}: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        ref={button}
        icon={icon}
        label={label}
        className={className}
        tabIndex={tabIndex}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Suspense>
          <Menu
            label={label}
            entries={entries}
            anchor={button}
            placement={placement}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
