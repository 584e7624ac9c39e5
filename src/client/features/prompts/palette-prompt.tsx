import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Collection, Header, ListBox, ListBoxSection } from 'react-aria-components/ListBox'
import { closePrompt } from '../../state/prompt.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { optionKeyOf } from '../../ui/option-key.ts'
import { useFiles } from './palette/go-to-file/use-files.tsx'
import { FirstChoice } from './palette/first-choice.ts'
import { commandPrefix, commandQueryOf } from './palette/palette-content.ts'
import { PaletteField } from './palette/palette-field.tsx'
import { PaletteListItem } from './palette/palette-option.tsx'
import { useCommands } from './palette/use-commands.tsx'
import { usePointerMoves } from './palette/use-pointer-moves.ts'
import styles from './palette/palette.module.css'

/**
 * Shows a field, and what its text finds: files and folders of all folders, or after `>` the actions and the folders to go to.
 * The focus stays in the field, and the arrow keys choose an option. `text` is the one with which the field opens.
 */
export function PalettePrompt({ text: first }: { readonly text: string }) {
  const [text, setText] = useState(first)
  const [hasMoved, setMoved] = useState(false)
  const [continuedMs, setContinuedMs] = useState(Number.NEGATIVE_INFINITY)
  const change = (typed: string): void => {
    setText(typed)
    setMoved(false)
    // A typed letter ends the time in which Enter is ignored, because the user reacts to the new list.
    setContinuedMs(Number.NEGATIVE_INFINITY)
  }
  const continueWith = (next: string): void => {
    change(next)
    setContinuedMs(performance.now())
  }
  const query = commandQueryOf(text)
  const commands = useCommands(query, continueWith)
  const files = useFiles(query === null ? text : '', continueWith)
  const content = query === null ? files : commands
  const options = content.sections.flatMap((section) => section.options)
  const optionOf = (key: string | null) => options.find(({ id }) => optionKeyOf(id) === key)
  const firstKey = options[0] === undefined ? null : optionKeyOf(options[0].id)
  const pointer = usePointerMoves(text)
  return (
    <Dialog title={content.title} isTitleHidden width="wide" onClose={closePrompt}>
      <Autocomplete inputValue={text} onInputChange={change}>
        <PaletteField
          label={content.fieldLabel}
          continuedMs={continuedMs}
          onMove={() => setMoved(true)}
          onEnter={(key) => {
            const option = hasMoved ? optionOf(key) : undefined
            if (option === undefined) content.chooseFirst()
            else option.choose()
          }}
          onCtrlEnter={(key) => {
            const option = optionOf(key) ?? options[0]
            const open = option?.openInNewTab ?? option?.choose
            open?.()
          }}
          onFiles={() => change(query ?? text)}
          onCommands={() => change(`${commandPrefix}${query ?? text}`)}
        />
        <div className={styles.results} {...pointer}>
          {content.above}
          <FirstChoice value={hasMoved ? null : firstKey}>
            <ListBox
              aria-label={content.listLabel}
              shouldFocusWrap
              className={styles.items ?? ''}
              renderEmptyState={() => <output className={styles.nothing}>{content.emptyText}</output>}
            >
              {content.sections.map(({ id, title, options: shown }) => (
                <ListBoxSection key={id} id={id} {...(title === null && { 'aria-label': content.listLabel })}>
                  {title !== null && <Header className={styles.title ?? ''}>{title}</Header>}
                  <Collection items={shown}>{(option) => <PaletteListItem option={option} />}</Collection>
                </ListBoxSection>
              ))}
            </ListBox>
          </FirstChoice>
          {content.below}
        </div>
      </Autocomplete>
      <p className={styles.help}>{content.help}</p>
    </Dialog>
  )
}
