import type { ErrorCode } from '../../../shared/domain/failure.ts'
import { byteLength, pathLimits } from '../../../shared/domain/name-bytes.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOfFailure } from '../../operations/reason.ts'
import type { RefusedUploadName, UploadJob } from '../../state/upload-job.ts'
import { visibleName } from '../../ui/visible-name.ts'

/** The error codes whose usual text does not say what an upload needs next. */
const explainedCodes = [
  'bad-name',
  'changed-meanwhile',
  'forbidden',
  'internal',
  'is-a-folder',
  'not-a-folder',
  'not-found',
  'timeout',
  'too-large',
  'truncated',
  'unavailable',
] as const satisfies readonly ErrorCode[]

/** Returns why an upload has failed and what the user can do next. */
export function refusalOfUpload({ name, fault, permission, refusal, refusedName }: UploadJob): string {
  if (fault === null) return t('uploads.state.failed')
  if (permission === 'create' || permission === 'modify') return t(`uploads.failed.needs.${permission}`)
  if (refusedName !== null) return refusedNameText(refusedName, name)
  const explained = explainedCodes.find((code) => code === fault)
  return explained === undefined || permission !== null
    ? reasonOfFailure({ fault, permission, refusal })
    : t(`uploads.failed.${explained}`)
}

/** Returns why a name is refused. Names the folder when it is not the name of the upload itself. */
function refusedNameText({ name, fault }: RefusedUploadName, own: string): string {
  if (fault === 'too-deep') return t('uploads.failed.too-deep', { limit: pathLimits.pathBytes })
  const reason =
    fault === 'too-long'
      ? t('uploads.failed.too-long', {
          size: byteLength(name),
          limit: pathLimits.nameBytes,
        })
      : t(`name.${fault}`)
  return name === own
    ? sentences(reason, t('uploads.failed.renameFile'))
    : t('uploads.failed.folderName', { name: visibleName(name), reason })
}
