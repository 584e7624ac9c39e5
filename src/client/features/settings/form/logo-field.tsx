import { useId, useState } from 'react'
import { limits } from '../../../../shared/domain/limits.ts'
import { call, callJson, statusOf } from '../../../api/call.ts'
import { config } from '../../../api/config.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useQuery } from '../../../api/use-query.ts'
import { formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { pickFiles } from '../../../operations/pick-files.ts'
import { reasonOf } from '../../../operations/reason.ts'
import { notify } from '../../../state/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import styles from './logo-field.module.css'

const logoKey = ['settings', 'logo']

/** Shows the logo on the backgrounds of both themes, and stores or removes one at once, without the form around it. */
export function LogoField() {
  const id = useId()
  const { data } = useQuery({
    queryKey: logoKey,
    queryFn: ({ signal }) => callJson('settings.has-logo', { signal }),
  })
  const [version, setVersion] = useState(0)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const send = async (isStored: boolean, change: () => Promise<unknown>): Promise<void> => {
    setIsBusy(true)
    setFailure(null)
    try {
      await change()
      queryClient.setQueryData(logoKey, { isStored })
      setVersion((before) => before + 1)
      notify(t('settings.updated'))
    } catch (thrown) {
      setFailure(reasonOfLogo(thrown))
    } finally {
      setIsBusy(false)
    }
  }
  const upload = async (): Promise<void> => {
    const file = (await pickFiles('picture'))[0]?.file
    if (!file) return
    if (file.size > limits.logoBytes) setFailure(tooLarge())
    else await send(true, () => call('settings.set-logo', { body: file }))
  }
  const address = `${config().StaticURL}/img/logo.svg${version === 0 ? '' : `?${version}`}`
  return (
    <fieldset className={styles.field} aria-describedby={id}>
      <legend className={styles.label}>{t('settings.logo')}</legend>
      <div className={styles.previews}>
        {([null, styles.dark] as const).map((background) => (
          <div key={String(background)} className={classNames(styles.preview, background)}>
            <img src={address} alt="" />
          </div>
        ))}
      </div>
      <div className={styles.buttons}>
        <Button isBusy={isBusy} onClick={() => void upload()}>
          {t('settings.logo.upload')}
        </Button>
        {data?.isStored === true && (
          <Button isBusy={isBusy} onClick={() => void send(false, () => call('settings.remove-logo'))}>
            {t('settings.logo.remove')}
          </Button>
        )}
      </div>
      <p id={id} className={styles.hint}>
        {t('settings.logo.hint', { size: formatSize(limits.logoBytes) })}
      </p>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </fieldset>
  )
}

const tooLarge = (): string => t('settings.logo.tooLarge', { size: formatSize(limits.logoBytes) })

function reasonOfLogo(thrown: unknown): string {
  if (statusOf(thrown) === 415) return t('settings.logo.noPicture')
  return statusOf(thrown) === 413 ? tooLarge() : reasonOf(thrown)
}
