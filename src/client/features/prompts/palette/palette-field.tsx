import type { KeyboardEvent } from 'react'
import { Input, SearchField } from 'react-aria-components/SearchField'
import { X } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { closePrompt } from '../../../state/prompt.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { combinationOf } from '../../../ui/keyboard/keys.ts'
import { chosenKeyOf } from '../../../ui/option-key.ts'
import styles from './palette.module.css'

type PaletteFieldProps = {
  readonly label: string
  /** The time at which an option has put another text into the field, as `performance.now()` returns it. */
  readonly continuedMs: number
  /** Called when the user moves through the options. */
  readonly onMove: () => void
  /** Called on Enter with the key of the chosen option, or null. The library itself would choose it only after a delay. */
  readonly onEnter: (key: string | null) => void
  /** Called on Ctrl+Enter with the key of the chosen option, or null. */
  readonly onCtrlEnter: (key: string | null) => void
  /** Called for the keys that open the palette for files and for commands. */
  readonly onFiles: () => void
  readonly onCommands: () => void
}

/**
 * The time in milliseconds during which the field ignores Enter after an option has put another text into it. Enter may have
 * chosen that option, and its second press would run a command that the user has not seen. Systems take two presses within this
 * time for one double press.
 */
const unseenMs = 500

/** The keys that choose another option. */
const movingKeys: readonly string[] = ['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp']

/** The library adds the id of the list. */
const combobox = { role: 'combobox', 'aria-expanded': true, 'aria-haspopup': 'listbox' } as const

/**
 * Renders the field of the palette, and on phones the button that closes it. The focus stays in the field, and the arrow keys
 * choose an option.
 */
export function PaletteField({ label, continuedMs, ...on }: PaletteFieldProps) {
  const commandOf = (event: KeyboardEvent<HTMLInputElement>): (() => void) | null => {
    // The keys choose a word in the window of the input method.
    if (event.nativeEvent.isComposing) return null
    if (movingKeys.includes(event.key)) on.onMove()
    const combination = combinationOf(event.nativeEvent)
    if (combination === 'ctrl+p') return on.onFiles
    if (combination === 'ctrl+k') return on.onCommands
    if (event.key === 'Escape') return closePrompt
    if (event.key !== 'Enter') return null
    if (event.repeat || event.timeStamp - continuedMs < unseenMs) return () => undefined
    const key = chosenKeyOf(event.currentTarget)
    return () => (event.ctrlKey || event.metaKey ? on.onCtrlEnter : on.onEnter)(key)
  }
  return (
    <div className={styles.fieldRow}>
      <SearchField aria-label={label}>
        <Input
          ref={focusEnd}
          {...combobox}
          className={styles.field ?? ''}
          placeholder={label}
          // The library would clear the field first.
          onKeyDownCapture={(event) => {
            const run = commandOf(event)
            if (run === null) return
            event.preventDefault()
            event.stopPropagation()
            run()
          }}
        />
      </SearchField>
      <IconButton icon={X} label={t('buttons.close')} className={styles.close} onClick={closePrompt} />
    </div>
  )
}

/** Focuses the field when the palette opens, with the cursor behind its text. */
function focusEnd(element: HTMLInputElement | null): void {
  element?.focus()
  element?.setSelectionRange(element.value.length, element.value.length)
}
