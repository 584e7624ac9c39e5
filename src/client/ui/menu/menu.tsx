import type { RefObject } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Menu as AriaMenu, MenuItem, Popover, Separator } from 'react-aria-components/Menu'
import { Check } from 'lucide'
import { useLocale } from '../../i18n/locale.ts'
import type { MenuEntry } from './menu-entry.ts'
import { classNames } from '../class-names.ts'
import { Icon } from '../icon.tsx'
import { ignoreKeys, useKeyScope } from '../keyboard/use-key-scope.ts'
import styles from './menu.module.css'

export type MenuPlacement = 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'end top'

export type MenuProps = {
  /** The accessible name of the menu. */
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** The element beside which the menu opens. It gets the focus back when the menu closes. */
  readonly anchor: RefObject<Element | null>
  readonly onClose: () => void
  readonly placement?: MenuPlacement
  /** The name of what the menu applies to, which a menu at the lower edge of a narrow screen shows above its items. */
  readonly heading?: string | undefined
  /** True for a long menu, which takes the lower part of a narrow screen. */
  readonly isSheet?: boolean
}

/** Moves the focus to the first item when the menu opens. */
const opened = { autoFocus: 'first' } as const

/**
 * Renders a menu, which is open as long as it is mounted. Load this component lazily, as `MenuButton` does, because it
 * depends on React Aria, a large library. React Aria takes the text direction from the language that it is given.
 */
export function Menu({
  label,
  entries,
  anchor,
  onClose,
  placement = 'bottom end',
  heading,
  isSheet = false,
}: MenuProps) {
  useKeyScope('menu', ignoreKeys)
  return (
    <I18nProvider locale={useLocale()}>
      <Popover
        isOpen
        aria-label={label}
        triggerRef={anchor}
        placement={placement}
        offset={4}
        className={classNames(styles.popover, isSheet && styles.sheet)}
        onOpenChange={(isOpen) => !isOpen && onClose()}
      >
        {heading !== undefined && <p className={styles.heading}>{heading}</p>}
        <AriaMenu aria-label={label} {...opened} className={styles.menu ?? ''} onClose={onClose}>
          {entries.map((entry) =>
            entry.kind === 'separator' ? (
              <Separator key={entry.id} className={styles.separator ?? ''} />
            ) : (
              <MenuItem
                key={entry.id}
                id={entry.id}
                textValue={entry.label}
                isDisabled={entry.isDisabled ?? false}
                onAction={entry.run}
                className={styles.item ?? ''}
                {...(entry.isDangerous && { 'data-dangerous': '' })}
              >
                <span className={styles.icon}>{entry.icon && <Icon icon={entry.icon} size={16} />}</span>
                <span className={styles.text}>{entry.label}</span>
                {entry.isChosen && <Icon icon={Check} size={16} />}
                {entry.hint !== undefined && <kbd className={styles.hint}>{entry.hint}</kbd>}
              </MenuItem>
            ),
          )}
        </AriaMenu>
      </Popover>
    </I18nProvider>
  )
}
