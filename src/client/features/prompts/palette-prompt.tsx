import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Collection, Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { closePrompt } from '../../state/prompt.ts'
import { recentPlaces } from '../../state/recent-places.ts'
import { foldersOf } from '../../state/saved-recent-places.ts'
import { selection } from '../../state/selection.ts'
import { useMay } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PaletteField } from './palette-field.tsx'
import { isMatch, type PaletteItem, paletteItems } from './palette-items.ts'
import styles from './palette.module.css'

type PalettePromptProps = { readonly folder: Path; readonly entries: readonly ListedEntry[] }

const sections = ['actions', 'folders'] as const

/**
 * Shows a field for a part of the name of an action or of a folder, and the matching items. The focus stays in the
 * field, and the arrow keys choose an item.
 */
export function PalettePrompt({ folder, entries }: PalettePromptProps) {
  const may = useMay()
  const { isMultiple } = useStore(selection)
  const items = paletteItems(
    { folder, selected: entries, may, isMultiple },
    foldersOf(useStore(recentPlaces)),
  )
  const [query, setQuery] = useState('')
  return (
    <Dialog title={t('action.palette')} isTitleHidden width="wide" onClose={closePrompt}>
      <Autocomplete filter={isMatch} inputValue={query} onInputChange={setQuery}>
        <PaletteField
          label={t('palette.label')}
          onEnter={() => run(items.find(({ label }) => isMatch(label, query)))}
          onHeldText={setQuery}
        />
        <ListBox
          aria-label={t('action.palette')}
          className={styles.items ?? ''}
          renderEmptyState={() => <p className={styles.nothing}>{t('palette.nothing')}</p>}
        >
          {sections.map((section) => (
            <ListBoxSection key={section} id={section}>
              <Header className={styles.title ?? ''}>{t(`palette.${section}`)}</Header>
              <Collection items={items.filter((item) => item.section === section)}>
                {(item) => <PaletteOption item={item} onRun={run} />}
              </Collection>
            </ListBoxSection>
          ))}
        </ListBox>
      </Autocomplete>
    </Dialog>
  )
}

function run(item: PaletteItem | undefined): void {
  if (item === undefined) return
  closePrompt()
  item.run()
}

type PaletteOptionProps = { readonly item: PaletteItem; readonly onRun: (item: PaletteItem) => void }

function PaletteOption({ item, onRun }: PaletteOptionProps) {
  return (
    <ListBoxItem
      id={item.id}
      textValue={item.label}
      className={styles.item ?? ''}
      onAction={() => onRun(item)}
    >
      <Icon name={item.icon} size={16} />
      <span className={styles.label}>{item.label}</span>
      {item.key !== undefined && <kbd className={styles.keys}>{item.key}</kbd>}
    </ListBoxItem>
  )
}
