import { Link } from 'wouter'
import { CodeBlock } from '../../components/code-block.tsx'
import { inShell } from '../../sample-quotes.ts'
import { useSampleWorld } from '../../sample-world.ts'
import { keyPlaceholder, secretVariable } from '../../samples.ts'

/** Events on a developer's own machine, without a public address: the command, ready to run with the reader's key. */
export function ListenCommand() {
  const { baseUrl, apiKey } = useSampleWorld()
  const command = `POSTERN_BASE_URL=${inShell(baseUrl)} POSTERN_API_KEY=${inShell(apiKey)} \\
  npx --no-install postern listen --forward-to http://localhost:3000/hooks`
  return (
    <>
      <CodeBlock title="On your own machine, in a clone of Postern, without a webhook" samples={{ shell: command }} />
      <p className="small muted">
        The secret of the API key is read from <code>{secretVariable}</code>.{' '}
        {apiKey === keyPlaceholder && (
          <>
            No key yet? <Link to="/api-keys?create">Create one</Link>.
          </>
        )}
      </p>
    </>
  )
}
