import { t } from '../../../i18n/translate.ts'
import { NumberField } from '../number-field.tsx'
import type { SettingsDraft } from './use-settings-draft.ts'

type UploadFieldsProps = { readonly settings: Pick<SettingsDraft, 'draft' | 'change'> }

const bytesOfMegabyte = 1024 * 1024
/** The largest part that the server allows is 1 GiB (`settings.update`). */
const maxMegabytes = 1024

/** Renders the settings about uploads in parts. */
export const UploadFields = ({ settings: { draft, change } }: UploadFieldsProps) => (
  <>
    <NumberField
      label={t('settings.chunkSize')}
      value={draft.tus.chunkSize / bytesOfMegabyte}
      range={[0.001, maxMegabytes]}
      step="any"
      onChange={(value) =>
        value !== null && change({ tus: { ...draft.tus, chunkSize: Math.round(value * bytesOfMegabyte) } })
      }
    />
    <NumberField
      label={t('settings.retryCount')}
      value={draft.tus.retryCount}
      range={[0, 100]}
      onChange={(value) => value !== null && change({ tus: { ...draft.tus, retryCount: value } })}
    />
  </>
)
