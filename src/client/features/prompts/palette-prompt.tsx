import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Collection, Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { Check } from 'lucide'
import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { closePrompt, prompt } from '../../state/prompt.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { keyLabel } from '../../ui/keyboard/key-labels.ts'
import type { PaletteItem } from './palette/palette-items.ts'
import { usePaletteItems } from './palette/use-palette-items.ts'
import { PaletteField } from './palette-field.tsx'
import { usePointerMoves } from './palette/use-pointer-moves.ts'
import styles from './palette.module.css'

type PalettePromptProps = {
  readonly folder: Path
  readonly entries: readonly ListedEntry[]
  /** The text that the field has when it opens, if it comes from *Go to file*. */
  readonly text?: string
}

const sections = ['actions', 'folders', 'files'] as const

/**
 * Shows a field for a part of the name of an action or of a folder, and the matching items. The focus stays in the
 * field, and the arrow keys choose an item.
 */
export function PalettePrompt({ folder, entries, text }: PalettePromptProps) {
  const [query, setQuery] = useState(text ?? '')
  // Users of other programs type `>` before a command, so a leading `>` is ignored.
  const sought = query.replace(/^>/, '')
  const items = usePaletteItems({ folder, entries }, sought)
  const pointer = usePointerMoves(query)
  return (
    <Dialog title={t('action.palette')} isTitleHidden width="wide" onClose={closePrompt}>
      <Autocomplete inputValue={query} onInputChange={setQuery}>
        <PaletteField
          label={t('palette.label')}
          onEnter={() => run(items[0])}
          onSwitch={{ key: 'ctrl+p', run: () => prompt.set({ kind: 'go-to-file', text: sought }) }}
          isContinued={text !== undefined}
        />
        <div className={styles.files} {...pointer}>
          <ListBox aria-label={t('action.palette')} className={styles.items ?? ''}>
            {sections
              .filter((section) => items.some((item) => item.section === section))
              .map((section) => (
                <ListBoxSection key={section} id={section}>
                  <Header className={styles.title ?? ''}>{t(`palette.${section}`)}</Header>
                  <Collection items={items.filter((item) => item.section === section)}>
                    {(item) => <PaletteOption item={item} onRun={run} />}
                  </Collection>
                </ListBoxSection>
              ))}
          </ListBox>
        </div>
      </Autocomplete>
      <p className={styles.help}>
        {t('palette.commandKeys', {
          run: keyLabel('Enter'),
          files: keyLabel('ctrl+p'),
          close: keyLabel('Escape'),
        })}
      </p>
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
      {...(item.isChosen === true && { 'aria-label': t('palette.chosen', { name: item.label }) })}
      className={styles.item ?? ''}
      onAction={() => onRun(item)}
    >
      <Icon icon={item.icon} size={16} />
      <span className={styles.label}>{item.label}</span>
      {item.isChosen === true && <Icon icon={Check} size={16} />}
      {item.key !== undefined && <kbd className={styles.keys}>{item.key}</kbd>}
    </ListBoxItem>
  )
}
