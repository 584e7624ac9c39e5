import { t } from '../../i18n/translate.ts'
import { TextField } from '../../ui/text-field.tsx'
import { maxBytesOf, maxFilesOf, type LinkFields } from './link-terms.ts'
import styles from './sharing.module.css'

type DropLimits = Pick<LinkFields, 'maxFiles' | 'maxSize'>
type DropLimitFieldsProps = DropLimits & { readonly onChange: (changed: Partial<DropLimits>) => void }

/** Renders the optional limits of an upload-only link. */
export const DropLimitFields = ({ maxFiles, maxSize, onChange }: DropLimitFieldsProps) => (
  <div className={styles.limits}>
    <TextField
      inputMode="numeric"
      autoComplete="off"
      label={t('share.maxFiles')}
      hint={t('share.maxFilesHint')}
      error={maxFilesOf(maxFiles) === null ? t('share.wrongMaxFiles') : null}
      value={maxFiles}
      onChange={({ target }) => onChange({ maxFiles: target.value })}
    />
    <TextField
      inputMode="decimal"
      autoComplete="off"
      label={t('share.maxSize')}
      hint={t('share.maxSizeHint')}
      error={maxBytesOf(maxSize) === null ? t('share.wrongMaxSize') : null}
      value={maxSize}
      onChange={({ target }) => onChange({ maxSize: target.value })}
    />
  </div>
)
