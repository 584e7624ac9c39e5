import { CircleCheck, Stethoscope } from 'lucide'
import { useState } from 'react'
import {
  explainedProxies,
  proxyFindingCodes,
  type ExplainedProxy,
} from '../../../../shared/domain/doctor/proxy-findings.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SettingsCard, SettingsPage } from '../settings-card.tsx'
import { CheckRow } from './check-row.tsx'
import { diagnosis, startDiagnosis, type Diagnosis } from './diagnosis.ts'
import styles from './doctor-page.module.css'
import { FoundRow } from './found-row.tsx'
import { longWaitSeconds } from './measure.ts'

/** The command that checks the machine of the server. */
const doctorCommand = 'stowage doctor'

const proxyNames = { nginx: 'nginx', caddy: 'Caddy', traefik: 'Traefik' } as const

/** Renders the page on which an administrator measures the way from the browser to the server (decision 169). */
export function DoctorPage() {
  const { status, verdicts, peer } = useStore(diagnosis)
  const [proxy, setProxy] = useState<ExplainedProxy>('nginx')
  const found = proxyFindingCodes.filter((code) => verdicts[code] === 'found')
  const others = proxyFindingCodes.filter((code) => verdicts[code] !== 'found')
  const command = (
    <code dir="ltr" className={styles.command}>
      {doctorCommand}
    </code>
  )
  return (
    <SettingsPage>
      <SettingsCard
        title={t('settings.tab.doctor')}
        isPageTitle
        hint={<RichText id="settings.doctor.hint" values={{ command }} />}
      >
        <div className={styles.start}>
          <Button
            kind="primary"
            icon={Stethoscope}
            isBusy={status === 'running'}
            onClick={() => void startDiagnosis()}
          >
            {t(status === 'none' ? 'settings.doctor.run' : 'settings.doctor.again')}
          </Button>
          <output className={styles.progress}>
            <Progress status={status} verdicts={verdicts} foundCount={found.length} />
          </output>
        </div>
      </SettingsCard>
      {found.length > 0 && (
        <SettingsCard title={t('settings.doctor.found', { count: found.length })}>
          <ProxyChoice chosen={proxy} onChoose={setProxy} />
          <ul className={styles.found}>
            {found.map((code) => (
              <FoundRow key={code} code={code} proxy={proxy} peer={peer} />
            ))}
          </ul>
        </SettingsCard>
      )}
      {status !== 'none' && (
        <SettingsCard title={t('settings.doctor.others')}>
          <ul className={styles.checks}>
            {others.map((code) => (
              <CheckRow key={code} code={code} verdict={verdicts[code]} isRunning={status === 'running'} />
            ))}
          </ul>
        </SettingsCard>
      )}
    </SettingsPage>
  )
}

type ProgressProps = Pick<Diagnosis, 'status' | 'verdicts'> & { readonly foundCount: number }

/** Renders what stands beside the button: how far the checks are, and what they found. Screen readers read it when it changes. */
function Progress({ status, verdicts, foundCount }: ProgressProps) {
  const measured = Object.keys(verdicts).length
  if (status === 'none') return null
  if (status === 'running')
    return measured >= proxyFindingCodes.length - 1
      ? t('settings.doctor.waiting', { seconds: longWaitSeconds })
      : t('settings.doctor.running')
  if (foundCount > 0) return t('settings.doctor.found', { count: foundCount })
  if (measured === 0) return t('settings.doctor.unreachable')
  return (
    <span className={styles.sound}>
      <Icon icon={CircleCheck} size={16} />
      {t('settings.doctor.none')}
    </span>
  )
}

type ProxyChoiceProps = {
  readonly chosen: ExplainedProxy
  readonly onChoose: (proxy: ExplainedProxy) => void
}

/** Renders the choice of the proxy whose lines are shown. */
const ProxyChoice = ({ chosen, onChoose }: ProxyChoiceProps) => (
  <fieldset className={styles.choice}>
    <legend className={styles.legend}>{t('settings.doctor.proxy')}</legend>
    <div className={styles.choices}>
      {explainedProxies.map((proxy) => (
        <label key={proxy} className={styles.option}>
          <input
            type="radio"
            name="proxy"
            className={styles.radio}
            checked={proxy === chosen}
            onChange={() => onChoose(proxy)}
          />
          {proxyNames[proxy]}
        </label>
      ))}
    </div>
  </fieldset>
)
