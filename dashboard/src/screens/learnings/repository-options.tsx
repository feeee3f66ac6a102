interface RepositoryOptionsProps {
  readonly repositories: readonly { readonly id: string; readonly name: string }[]
}

/** The options of a required choice. */
export function RepositoryOptions({ repositories }: RepositoryOptionsProps) {
  return (
    <>
      <option value="" disabled>
        Choose one
      </option>
      {repositories.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </>
  )
}
