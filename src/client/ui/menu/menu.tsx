import { type RefObject, useState } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Menu as AriaMenu, MenuItem, Popover, Separator, SubmenuTrigger } from 'react-aria-components/Menu'
import { Check, ChevronRight } from 'lucide'
import { useLocale } from '../../i18n/locale.ts'
import type { MenuEntry, MenuLine, Submenu } from './menu-entry.ts'
import { classNames } from '../class-names.ts'
import { directed, Icon } from '../icon.tsx'
import { ignoreKeys, useKeyScope } from '../keyboard/use-key-scope.ts'
import { mobileQuery, useMedia } from '../measuring/use-media.ts'
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
  const isNarrow = useMedia(mobileQuery)
  const [isUnfolded, setUnfolded] = useState(false)
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
        <AriaMenu
          key={isUnfolded ? 'unfolded' : 'short'}
          aria-label={label}
          {...opened}
          className={styles.menu ?? ''}
          onClose={onClose}
        >
          {entries.map((entry) =>
            entry.kind !== 'submenu' ? (
              <Entry key={entry.id} entry={entry} />
            ) : !isNarrow ? (
              <BesideMenu key={entry.id} entry={entry} onClose={onClose} />
            ) : isUnfolded ? (
              entry.entries.map((further) => <Entry key={further.id} entry={further} />)
            ) : (
              <UnfoldingItem key={entry.id} entry={entry} onUnfold={() => setUnfolded(true)} />
            ),
          )}
        </AriaMenu>
      </Popover>
    </I18nProvider>
  )
}

type BesideMenuProps = { readonly entry: Submenu; readonly onClose: () => void }

/** Renders an item that opens a menu beside it. An item of that menu closes both menus. */
const BesideMenu = ({ entry: { id, label, icon, entries }, onClose }: BesideMenuProps) => (
  <SubmenuTrigger>
    <MenuItem id={id} textValue={label} className={styles.item ?? ''}>
      <span className={styles.icon}>
        <Icon icon={icon} size={16} />
      </span>
      <span className={styles.text}>{label}</span>
      <Icon icon={directed(ChevronRight)} size={16} />
    </MenuItem>
    <Popover className={styles.popover ?? ''} offset={-2}>
      <AriaMenu aria-label={label} className={styles.menu ?? ''} onClose={onClose}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </AriaMenu>
    </Popover>
  </SubmenuTrigger>
)

type UnfoldingItemProps = { readonly entry: Submenu; readonly onUnfold: () => void }

/** Renders an item in whose place the further items appear, because a narrow screen has no room for a menu beside it. */
const UnfoldingItem = ({ entry: { id, label, icon }, onUnfold }: UnfoldingItemProps) => (
  <MenuItem
    id={id}
    textValue={label}
    shouldCloseOnSelect={false}
    onAction={onUnfold}
    className={styles.item ?? ''}
  >
    <span className={styles.icon}>
      <Icon icon={icon} size={16} />
    </span>
    <span className={styles.text}>{label}</span>
  </MenuItem>
)

/** Renders a separator or an item that runs something. */
function Entry({ entry }: { readonly entry: MenuLine }) {
  if (entry.kind === 'separator') return <Separator className={styles.separator ?? ''} />
  return (
    <MenuItem
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
      {entry.hint ? <kbd className={styles.hint}>{entry.hint}</kbd> : null}
    </MenuItem>
  )
}
