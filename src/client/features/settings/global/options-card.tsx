import { useQuery } from '../../../api/use-query.ts'
import { callJson } from '../../../api/call.ts'
import { t } from '../../../i18n/translate.ts'
import { CardTable } from '../../../ui/card-table/card-table.tsx'
import { CardLoading } from '../card-loading.tsx'
import { SettingsCard } from '../settings-card.tsx'
import styles from './global-page.module.css'

/** Shows the options with which the server was started, and where each value comes from. They cannot be changed here. */
export function OptionsCard() {
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', 'options'],
    queryFn: ({ signal }) => callJson('settings.options', { signal }),
  })
  return (
    <SettingsCard
      title={t('settings.options.title')}
      hint={t('settings.options.hint')}
      className={styles.options}
    >
      <CardLoading isLoaded={data !== undefined} error={error} onRetry={() => void refetch()} />
      {data !== undefined && (
        <CardTable className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('settings.options.name')}</th>
              <th scope="col">{t('settings.options.value')}</th>
              <th scope="col">{t('settings.options.source')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ name, value, source }) => (
              <tr key={name}>
                <th scope="row">
                  <code dir="ltr">{name}</code>
                  <span className={styles.meaning}>{t(`settings.option.${name}`)}</span>
                </th>
                <td>
                  <bdi>{value}</bdi>
                </td>
                <td>{t(`settings.source.${source}`)}</td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
    </SettingsCard>
  )
}
