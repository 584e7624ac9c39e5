import { Input, SearchField } from 'react-aria-components/SearchField'
import { closePrompt } from '../../state/prompt.ts'
import styles from './palette.module.css'
import { focusFirst } from '../../ui/dialog.tsx'

type PaletteFieldProps = {
  readonly label: string
  /** Called on Enter while no option is chosen. The library chooses the first option only after a delay. */
  readonly onEnter: () => void
}

/** The library adds the id of the list. */
const combobox = { role: 'combobox', 'aria-expanded': true, 'aria-haspopup': 'listbox' } as const

/** Renders the field of a palette. The focus stays in the field, and the arrow keys choose an option. */
export const PaletteField = ({ label, onEnter }: PaletteFieldProps) => (
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
