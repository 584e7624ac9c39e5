import { type Loss, lossHeader, readLosses } from '../../../shared/domain/losses.ts'
import { t } from '../../i18n/translate.ts'
import { actionStayMs, addNotice } from '../../state/notices.ts'

/** The losses after which content is missing. Their notice stays until the user closes it. */
const missing: readonly Loss['kind'][] = ['unreadable', 'special']

/** Tells the user what the server left out, or could not keep, when it made a change. */
export const notifyLosses = (response: Response): void =>
  notifyLossList(readLosses(response.headers.get(lossHeader)))

/** Shows a notice for each kind of loss. */
export function notifyLossList(losses: readonly Loss[]): void {
  for (const { kind, count, paths } of losses) {
    const names = paths.map((path) => path.replace(/^\//, ''))
    addNotice({
      kind: missing.includes(kind) ? 'failure' : 'news',
      text: t(`losses.${kind}`, { count, name: names[0] ?? '' }),
      stayMs: missing.includes(kind) ? null : actionStayMs,
      ...(count > 1 && { details: names }),
    })
  }
}
