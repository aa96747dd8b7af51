import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Page } from '../../components/page.tsx'
import { getSamples, postSamples, tokenSamples } from '../../samples.ts'
import { useMay, useSession } from '../../session.ts'

/** Quick start with the account's own address and key. Everything here is served by the gateway and works offline. */
export default function DocsPage() {
  const { base_url: baseUrl } = useSession()
  const mayReadKeys = useMay('keys:read')
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: () => call(api.GET('/console/api/keys')),
    enabled: mayReadKeys,
  })
  const apiKey = keys.data?.keys.find(({ status }) => status === 'active')?.key ?? 'YOUR_API_KEY'
  const world = { baseUrl, apiKey }
  const message = { to: '+12025550100', message: 'Hello from Postern' }
  return (
    <Page title="Docs" lead="From nothing to a message a customer has read, then the reference.">
      <div className="tiles">
        <Door href="/docs/api" icon="book" title="API reference" text="Every endpoint, field and answer" />
        <Door href="/docs/errors" icon="alert" title="Errors" text="Every code, what it means, what to do" />
        <Door href="/openapi.json" icon="download" title="OpenAPI document" text="For generators and tools" />
      </div>
      <ol className="steps">
        <li className="stack">
          <h2>Create an API key</h2>
          <p>
            Under <Link to="/api-keys">API Keys</Link>, press Create New API Key. Keep the secret in{' '}
            <code>POSTERN_API_SECRET</code>: it is shown once.
          </p>
        </li>
        <li className="stack">
          <h2>Get an access token</h2>
          <p>A token lives an hour. Keep it and send it with every call.</p>
          <CodeBlock samples={tokenSamples(world)} />
        </li>
        <li className="stack">
          <h2>See who you are</h2>
          <p>Account, scopes, channel and what is left of your plan, in one call.</p>
          <CodeBlock samples={getSamples(world, '/v1/auth/me')} />
        </li>
        <li className="stack">
          <h2>Send a message</h2>
          <p>
            Text reaches customers who wrote to you within 24 hours. In the sandbox +12025550100 did, reads everything
            and costs nothing.
          </p>
          <CodeBlock samples={postSamples(world, '/v1/chat/messages/send', message)} />
        </li>
      </ol>
    </Page>
  )
}

function Door({ href, icon, title, text }: { href: string; icon: IconName; title: string; text: string }) {
  return (
    <a className="card card-body door" href={href}>
      <Icon name={icon} size={20} />
      <span className="stack-tight">
        <strong>{title}</strong>
        <span className="muted">{text}</span>
      </span>
    </a>
  )
}
