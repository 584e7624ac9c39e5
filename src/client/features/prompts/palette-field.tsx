import { useEffect, useLayoutEffect, useRef } from 'react'
import { Input, SearchField } from 'react-aria-components/SearchField'
import { closePrompt } from '../../state/prompt.ts'
import { focusFirst } from '../../ui/dialog.tsx'
import { showField, takeHeldText } from './held-text.ts'
import styles from './palette.module.css'

type PaletteFieldProps = {
  readonly label: string
  /** Called on Enter while no option is chosen. The library chooses the first option only after a delay. */
  readonly onEnter: () => void
  /** Called with the text that the user typed before the field was on screen. */
  readonly onHeldText: (text: string) => void
}

/** The library adds the id of the list. */
const combobox = { role: 'combobox', 'aria-expanded': true, 'aria-haspopup': 'listbox' } as const

/** Renders the field of a palette. The focus stays in the field, and the arrow keys choose an option. */
export function PaletteField({ label, onEnter, onHeldText }: PaletteFieldProps) {
  useHeldText(onHeldText)
  return (
    <SearchField aria-label={label}>
      <Input
        ref={focusFirst}
        {...combobox}
        className={styles.field ?? ''}
        placeholder={label}
        // The library would clear the field first.
        onKeyDownCapture={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          closePrompt()
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter' && !currentTarget.hasAttribute('aria-activedescendant')) onEnter()
        }}
      />
    </SearchField>
  )
}

/** Passes on the text that was typed while the code of the palette was loading. */
function useHeldText(onHeldText: (text: string) => void): void {
  const latest = useRef(onHeldText)
  useEffect(() => {
    latest.current = onHeldText
  })
  useLayoutEffect(() => {
    const text = takeHeldText()
    if (text !== '') latest.current(text)
    return showField()
  }, [])
}
