import { useQuery } from '../../../api/use-query.ts'
import { callJson } from '../../../api/call.ts'
import { t } from '../../../i18n/translate.ts'
import { CardTable } from '../../../ui/card-table/card-table.tsx'
import { CardLoading } from '../card-loading.tsx'
import { containsWords } from '../form/setting-search.ts'
import { SettingsCard } from '../settings-card.tsx'
import styles from './global-page.module.css'

type OptionsCardProps = {
  /** The words that somebody looks for; none while all options are shown. */
  readonly words: readonly string[]
  /** True when nothing else on the page has these words. The card then says so when no option has them either. */
  readonly isLast: boolean
}

/** Shows the options with which the server was started, and where each value comes from. They cannot be changed here. */
export function OptionsCard({ words, isLast }: OptionsCardProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', 'options'],
    queryFn: ({ signal }) => callJson('settings.options', { signal }),
  })
  const options = data?.filter(({ name }) => containsWords(words, `${name} ${t(`settings.option.${name}`)}`))
  if (words.length > 0 && options?.length === 0)
    return <output className={styles.options}>{isLast && t('settings.search.none')}</output>
  return (
    <SettingsCard
      title={t('settings.options.title')}
      hint={t('settings.options.hint')}
      className={styles.options}
    >
      <CardLoading isLoaded={options !== undefined} error={error} onRetry={() => void refetch()} />
      {options !== undefined && (
        <CardTable className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('settings.options.name')}</th>
              <th scope="col">{t('settings.options.value')}</th>
              <th scope="col">{t('settings.options.source')}</th>
            </tr>
          </thead>
          <tbody>
            {options.map(({ name, value, source }) => (
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
