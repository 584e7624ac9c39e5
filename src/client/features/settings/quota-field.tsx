import { t } from '../../i18n/translate.ts'
import { NumberField } from './number-field.tsx'

const bytesOfGigabyte = 1024 ** 3
/** A quota of one exabyte: far above every disk, and still a whole number of bytes that JSON keeps. */
const maxGigabytes = 1024 * 1024

type QuotaFieldProps = {
  /** The quota in bytes. Null for no limit. */
  readonly valueBytes: number | null
  readonly onChange: (valueBytes: number | null) => void
}

/** Renders the field for the space that the files of a user may take, in gigabytes. */
export const QuotaField = ({ valueBytes, onChange }: QuotaFieldProps) => (
  <NumberField
    label={t('settings.quota')}
    hint={t('settings.quota.hint')}
    value={valueBytes === null ? null : valueBytes / bytesOfGigabyte}
    range={[0, maxGigabytes]}
    step="any"
    isOptional
    onChange={(value) => onChange(value === null ? null : Math.round(value * bytesOfGigabyte))}
  />
)
