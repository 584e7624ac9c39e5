import { t, type PlainMessageId } from '../../../i18n/translate.ts'
import { delimiters } from './delimiters.ts'
import type { TableFormat } from './table-messages.ts'
import styles from './table.module.css'

const textOfDelimiter = {
  ',': 'viewer.delimiter.comma',
  ';': 'viewer.delimiter.semicolon',
  '\t': 'viewer.delimiter.tab',
  '|': 'viewer.delimiter.pipe',
} as const satisfies Readonly<Record<(typeof delimiters)[number], PlainMessageId>>

/** The encodings that browsers decode and that spreadsheets write, with the names that their users know. */
const encodings = [
  ['utf-8', 'UTF-8'],
  ['utf-16le', 'UTF-16 LE'],
  ['utf-16be', 'UTF-16 BE'],
  ['windows-1252', 'Windows-1252'],
  ['windows-1250', 'Windows-1250'],
  ['windows-1251', 'Windows-1251'],
  ['iso-8859-15', 'ISO 8859-15'],
  ['macintosh', 'Mac OS Roman'],
  ['shift_jis', 'Shift JIS'],
  ['gb18030', 'GB 18030'],
  ['big5', 'Big5'],
  ['euc-kr', 'EUC-KR'],
] as const

type TableFormatFieldsProps = {
  readonly format: TableFormat
  /** False for a text that an editor has decoded. */
  readonly hasEncoding: boolean
  readonly onFormat: (format: TableFormat) => void
}

/** Renders the choices for a table whose separator or encoding was guessed wrong. */
export const TableFormatFields = ({ format, hasEncoding, onFormat }: TableFormatFieldsProps) => (
  <>
    <label className={styles.format}>
      {t('viewer.delimiter')}
      <select
        value={format.delimiter ?? ''}
        onChange={({ target }) =>
          onFormat({ ...format, delimiter: target.value === '' ? null : target.value })
        }
      >
        <option value="">{t('viewer.delimiter.detected')}</option>
        {delimiters.map((delimiter) => (
          <option key={delimiter} value={delimiter}>
            {t(textOfDelimiter[delimiter])}
          </option>
        ))}
      </select>
    </label>
    {hasEncoding && (
      <label className={styles.format}>
        {t('viewer.encoding')}
        <select
          value={format.encoding ?? ''}
          onChange={({ target }) =>
            onFormat({ ...format, encoding: target.value === '' ? null : target.value })
          }
        >
          <option value="">{t('viewer.encoding.detected')}</option>
          {encodings.map(([encoding, name]) => (
            <option key={encoding} value={encoding}>
              {name}
            </option>
          ))}
        </select>
      </label>
    )}
  </>
)
