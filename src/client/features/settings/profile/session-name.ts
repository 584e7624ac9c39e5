import type { SessionResource } from '../../../../shared/contract/sessions.ts'
import { t } from '../../../i18n/translate.ts'
import { deviceNameOf } from './device-name.ts'

/** Returns the name of a session: its browser and system, or the name that its program sends. */
export function nameOfSession({ agent }: Pick<SessionResource, 'agent'>): string {
  const device = deviceNameOf(agent)
  if (device !== null) return t('settings.sessions.agent', device)
  return agent.slice(0, 80) || t('settings.sessions.unknown')
}
