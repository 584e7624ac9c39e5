import styles from './credits.module.css'

type CreditsProps = {
  readonly name: string
  readonly version: string
  readonly isLinkHidden: boolean
  readonly link?: string
}

/** Renders the name and the version of the program. */
export function Credits({ name, version, isLinkHidden, link = '' }: CreditsProps) {
  return (
    <p className={styles.credits}>
      {isLinkHidden || link === '' ? (
        <span>{name}</span>
      ) : (
        <a href={link} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      )}
      {version !== '' && <span className="numbers"> {version}</span>}
    </p>
  )
}
