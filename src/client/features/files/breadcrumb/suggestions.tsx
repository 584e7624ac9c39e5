import { useCallback, type PointerEvent } from 'react'
import { Folder } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import styles from './path-field.module.css'

type SuggestionsProps = {
  /** The beginning of the ids of the list and its options. */
  readonly id: string
  readonly names: readonly string[]
  /** The index of the chosen name, or -1. */
  readonly chosen: number
  readonly onTake: (name: string) => void
}

/** Renders the suggestions below the path field. The focus stays in the field. */
export function Suggestions({ id, names, chosen, onTake }: SuggestionsProps) {
  const scrollIntoView = useCallback(
    (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' }),
    [],
  )
  const list = { role: 'listbox', id: `${id}-list`, 'aria-label': t('path.suggestions') } as const
  return (
    <ul className={classNames(styles.list, names.length === 0 && styles.none)} {...list}>
      {names.map((name, at) => {
        const option = {
          role: 'option',
          id: `${id}-${at}`,
          'aria-selected': at === chosen,
          // A press would take the focus out of the field, which closes the list.
          onPointerDown: (event: PointerEvent) => event.preventDefault(),
          onClick: () => onTake(name),
        } as const
        return (
          <li key={name} ref={at === chosen ? scrollIntoView : null} className={styles.option} {...option}>
            <Icon icon={Folder} size={16} />
            <bdi className={styles.name}>{visibleName(name)}</bdi>
          </li>
        )
      })}
    </ul>
  )
}
