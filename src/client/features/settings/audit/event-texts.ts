import type { AuditEventResource } from '../../../../shared/contract/audit.ts'
import { namesOf, type Path, pathOf, root } from '../../../../shared/domain/path.ts'
import { listText } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { reasonOfFault } from '../../../operations/reason.ts'
import { textOfNames } from '../../../ui/direction/text-of-names.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { fieldLabel } from './field-labels.ts'

/** Returns who caused an event. */
export function actorText({ actor, user }: AuditEventResource): string {
  if (actor === 'user') return visibleName(user)
  if (actor === 'nobody' && user !== '') return t('settings.audit.nobodyNamed', { name: visibleName(user) })
  return t(`settings.audit.actor.${actor}`)
}

/** Returns how an event ended, as a sentence for a failure. */
export function outcomeText({ action, outcome, actor }: AuditEventResource): string {
  if (outcome === 'ok') return t('settings.audit.ok')
  // A line after a change has failed, and the change was kept.
  if (action === 'hook' && outcome === 'internal') return t('settings.audit.hookFailed')
  // The guest of a share has no session that could have ended.
  return outcome === 'not-signed-in' && actor === 'guest'
    ? t('reason.wrong-password')
    : reasonOfFault(outcome)
}

const textOrNone = (value: unknown): string => (typeof value === 'string' ? visibleName(value) : '')

/** Returns what else is known about an event; empty when nothing is. */
export function detailsText({ action, details }: AuditEventResource): string {
  const { fields, words, line, files, member, count, folder, event, printed } = details
  if (Array.isArray(fields))
    return fields.length === 0
      ? ''
      : t('settings.audit.changed', { names: listText(fields.map((field) => fieldLabel(action, field))) })
  if (Array.isArray(words)) return visibleName(words.join(' '))
  if (typeof event === 'string') return listText([event, line, printed].map(textOrNone))
  if (typeof line === 'string') return visibleName(line)
  if (typeof count === 'number') return t('settings.audit.missing', { count })
  const from = typeof folder === 'string' ? `${textOfNames(namesInLog(folder) ?? [folder])}: ` : ''
  if (Array.isArray(files)) return from + listText(files.map(visibleName))
  return typeof member === 'string' ? visibleName(member) : ''
}

/** Returns the names of a path in the log, which begins at the folder of the server, or null for another text. */
export function namesInLog(text: string): readonly string[] | null {
  const path = text.startsWith('/') ? pathOf(text) : null
  if (path === null) return null
  // The folder of the server has no name.
  return path === root ? ['/'] : namesOf(path)
}

/** Returns the path of the user that an absolute path in the log has, or null when it is outside the folder of the user. */
export function pathInScope(place: string, scope: string): Path | null {
  const base = `/${scope
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/')}`
  const below = base === '/' ? place : place.startsWith(`${base}/`) ? place.slice(base.length) : null
  return below === null ? null : pathOf(below)
}
