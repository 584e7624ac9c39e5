import { Fragment } from 'react'

/**
 * Renders facts in one line. Each fact has its own text direction, so that a number stays beside its unit in a line from
 * right to left.
 */
export const FactsLine = ({ facts }: { readonly facts: readonly string[] }) =>
  facts.map((fact, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      <bdi>{fact}</bdi>
    </Fragment>
  ))
