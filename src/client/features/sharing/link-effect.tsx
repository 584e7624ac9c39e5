import type { ShareMode } from '../../../shared/contract/shares.ts'
import { formatDate } from '../../i18n/format.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { endOf, isAhead, limitOfDownloads, startOf, type LinkFields } from './link-terms.ts'
import styles from './sharing.module.css'

/** Renders a sentence that explains who can do what with a link of these terms. */
export function LinkEffect({ fields, name }: { readonly fields: LinkFields; readonly name: string }) {
  const endMs = endOf(fields)
  const startMs = startOf(fields)
  const hasPassword = fields.password !== '' || fields.keepsPassword
  const holder = hasPassword ? 'password' : 'link'
  const who = endMs === null ? holder : (`${holder}Until` as const)
  const date = endMs === null ? '' : formatDate(endMs)
  const effect = effectOf(fields.mode, who, { name, date })
  const limit = fields.mode === 'download' ? limitOfDownloads(fields) : 0
  const limited = limit === 0 ? effect : sentences(effect, t('share.effect.downloads', { count: limit }))
  return (
    <output className={styles.effect}>
      {startMs !== null && isAhead(startMs)
        ? sentences(limited, t('share.effect.from', { date: formatDate(startMs) }))
        : limited}
    </output>
  )
}

/** Returns the sentence for a mode. `who` tells whether guests need a password, and whether the link ends. */
function effectOf(
  mode: ShareMode,
  who: 'link' | 'linkUntil' | 'password' | 'passwordUntil',
  values: { readonly name: string; readonly date: string },
): string {
  if (mode === 'upload-only') return t(`share.dropEffect.${who}`, values)
  return mode === 'view-only' ? t(`share.viewEffect.${who}`, values) : t(`share.effect.${who}`, values)
}
