import { t } from '../../i18n/translate.ts'
import type { TextFormat } from '../viewers/text/text-format.ts'
import styles from './editor.module.css'

type StatusLineProps = {
  readonly place: { readonly line: number; readonly column: number; readonly selected: number }
  readonly format: TextFormat
  readonly state: 'unchanged' | 'unsaved' | 'saved'
}

const encodingNames = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
} as const

/** Shows where the cursor is, how the text is stored, and whether it is saved. */
export function StatusLine({ place: { line, column, selected }, format, state }: StatusLineProps) {
  const { encoding, hasMark, lineEnding, isMixed } = format
  return (
    <footer className={styles.status} data-part="status">
      <span className={styles.place}>{t('editor.place', { line, column })}</span>
      {selected > 0 && (
        <span className={styles.place}>{t('editor.selectedCharacters', { count: selected })}</span>
      )}
      <span>
        {hasMark ? t('editor.withMark', { encoding: encodingNames[encoding] }) : encodingNames[encoding]}
      </span>
      <span>{isMixed ? t('editor.mixedLines', { ending: lineEnding }) : lineEnding}</span>
      <output className={styles.state} data-state={state}>
        {state === 'unsaved' && t('editor.isUnsaved')}
        {state === 'saved' && t('editor.saved')}
      </output>
    </footer>
  )
}
