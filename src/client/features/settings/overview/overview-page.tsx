import { CircleCheck } from 'lucide'
import type { ReactNode } from 'react'
import { callJson } from '../../../api/call.ts'
import { useSuspenseQuery } from '../../../api/use-query.ts'
import { formatDate, formatSize } from '../../../i18n/format.ts'
import { formatNumber } from '../../../i18n/later-formats.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { SettingsCard, SettingsPage } from '../settings-card.tsx'
import { Concern } from './concern.tsx'
import styles from './overview-page.module.css'

/** The commands that are typed on the machine of the server. */
const commands = { backup: 'stowage backup', doctor: 'stowage doctor' } as const

const overviewQuery = {
  queryKey: ['overview'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => callJson('overview.get', { signal }),
  staleTime: 0,
  gcTime: 0,
}

/**
 * Renders the state of the server for administrators: what needs attention, with a link to the place where it is changed, and the
 * version, the disk and the numbers of users, links and sessions.
 */
export function OverviewPage() {
  const { data } = useSuspenseQuery(overviewQuery)
  const { advisories, concerns, disk } = data
  const isEncrypted = globalThis.isSecureContext
  return (
    <SettingsPage>
      <SettingsCard title={t('settings.tab.server')} isPageTitle>
        <dl className={styles.facts}>
          <Fact label={t('settings.server.version')}>
            <bdi>{data.version}</bdi>
          </Fact>
          <Fact label={t('settings.server.started')}>{formatDate(Date.parse(data.started))}</Fact>
          <Fact label={t('settings.users')}>{formatNumber(data.users, 0)}</Fact>
          <Fact label={t('settings.server.links')}>{formatNumber(data.links, 0)}</Fact>
          <Fact label={t('settings.sessions')}>{formatNumber(data.sessions, 0)}</Fact>
          {disk !== null && (
            <Fact label={t('settings.server.disk')}>
              <ProgressBar
                label={t('settings.server.disk')}
                fraction={disk.total === 0 ? 0 : disk.used / disk.total}
              />
              {t('usage.text', { used: formatSize(disk.used), total: formatSize(disk.total) })}
            </Fact>
          )}
          {advisories !== null && advisories.checked !== null && (
            <Fact label={t('settings.server.advisories')}>{formatDate(Date.parse(advisories.checked))}</Fact>
          )}
        </dl>
      </SettingsCard>
      <SettingsCard title={t('settings.server.concerns')}>
        {isEncrypted && concerns.length === 0 && (
          <p className={styles.fine}>
            <Icon icon={CircleCheck} size={16} />
            {t('settings.server.fine')}
          </p>
        )}
        <ul className={styles.concerns}>
          {!isEncrypted && <Concern kind="not-encrypted" users={[]} otherUsers={0} />}
          {concerns.map((concern) => (
            <Concern
              key={concern.kind}
              {...concern}
              advisories={concern.kind === 'known-vulnerability' ? (advisories?.found ?? []) : []}
            />
          ))}
        </ul>
      </SettingsCard>
      <SettingsCard title={t('settings.server.upkeep')}>
        <ul className={styles.upkeep}>
          <li>
            <RichText id="settings.server.backup" values={{ command: <Command text={commands.backup} /> }} />
          </li>
          <li>
            <RichText id="settings.server.doctor" values={{ command: <Command text={commands.doctor} /> }} />
          </li>
        </ul>
      </SettingsCard>
    </SettingsPage>
  )
}

const Command = ({ text }: { readonly text: string }) => (
  <code dir="ltr" className={styles.command}>
    {text}
  </code>
)

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
