import { useState } from 'react'
import { Input, SearchField } from 'react-aria-components/SearchField'
import { X } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { closePrompt } from '../../state/prompt.ts'
import { focusFirst } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { combinationOf } from '../../ui/keyboard/keys.ts'
import styles from './palette.module.css'

type PaletteFieldProps = {
  readonly label: string
  /** True while Enter is to open the first option, because the user has not moved to another one. */
  readonly isFirstChosen?: boolean
  /** Called when the user moves through the options. */
  readonly onMove?: () => void
  /** Called on Enter for the first option, or while no option is chosen. The library chooses the first one after a delay. */
  readonly onEnter: () => void
  /** Called on Ctrl+Enter with the key of the chosen option, or null. */
  readonly onCtrlEnter?: (key: string | null) => void
  /** The key combination that changes to the other palette, and the function that opens it with the same text. */
  readonly onSwitch: { readonly key: string; readonly run: () => void }
  /** True when the field has taken over from the other palette. Backspace in the empty field leads back then. */
  readonly isContinued?: boolean
}

/**
 * The time in milliseconds during which a field that has taken over a text ignores Enter. Enter may have led here, and its
 * second press would run a command that the user has not seen. Systems take two presses within this time for one double
 * press.
 */
const unseenMs = 500

/** The keys that choose another option. */
const movingKeys: readonly string[] = ['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp']

/** The library adds the id of the list. */
const combobox = { role: 'combobox', 'aria-expanded': true, 'aria-haspopup': 'listbox' } as const

/**
 * Renders the field of a palette, and on phones the button that closes it. The focus stays in the field, and the arrow keys
 * choose an option.
 */
export function PaletteField({
  label,
  isFirstChosen = false,
  onMove,
  onEnter,
  onCtrlEnter,
  onSwitch,
  isContinued = false,
}: PaletteFieldProps) {
  const [openedMs] = useState(() => performance.now())
  return (
    <div className={styles.fieldRow}>
      <SearchField aria-label={label}>
        <Input
          ref={focusFirst}
          {...combobox}
          className={styles.field ?? ''}
          placeholder={label}
          // The library would clear the field first.
          onKeyDownCapture={(event) => {
            const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing
            const isUnseen = isContinued && event.timeStamp - openedMs < unseenMs
            if (isEnter && (event.repeat || isUnseen)) {
              event.preventDefault()
              event.stopPropagation()
              return undefined
            }
            const isCtrlEnter = isEnter && onCtrlEnter !== undefined && (event.ctrlKey || event.metaKey)
            if (combinationOf(event.nativeEvent) === onSwitch.key) {
              event.preventDefault()
              event.stopPropagation()
              return onSwitch.run()
            }
            if (isContinued && event.key === 'Backspace' && !event.repeat && event.currentTarget.value === '')
              return onSwitch.run()
            if (movingKeys.includes(event.key)) onMove?.()
            if (event.key !== 'Escape' && !isCtrlEnter && !(isEnter && isFirstChosen)) return
            event.stopPropagation()
            if (event.key === 'Escape') return closePrompt()
            event.preventDefault()
            if (isCtrlEnter) onCtrlEnter(chosenKey(event.currentTarget))
            else onEnter()
          }}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter' && !currentTarget.hasAttribute('aria-activedescendant')) onEnter()
          }}
        />
      </SearchField>
      <IconButton icon={X} label={t('buttons.close')} className={styles.close} onClick={closePrompt} />
    </div>
  )
}

/** Returns the key of the option that is chosen in the list of a field, or null. */
function chosenKey(field: Element): string | null {
  const option = document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
  return option?.dataset['key'] ?? null
}
