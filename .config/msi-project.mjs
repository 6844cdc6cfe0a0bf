// electron-builder calls this with the MSI's description before it is compiled: «Open with» for everybody on the
// computer, as installer.nsh has it for one person.
import { readFile, writeFile } from 'node:fs/promises'

const types = ['pdf', 'png', 'jpg', 'jpeg', 'docx', 'xlsx']
const openWith = `
      <Component Id="openWith" Guid="*">
        <RegistryKey Root="HKLM" Key="Software\\Classes\\Applications\\Sheaf.exe">
          <RegistryValue Name="FriendlyAppName" Type="string" Value="Sheaf" KeyPath="yes"/>
          <RegistryValue Key="shell\\open\\command" Type="string" Value="&quot;[#mainExecutable]&quot; &quot;%1&quot;"/>
          ${types.map((type) => `<RegistryValue Key="SupportedTypes" Name=".${type}" Type="string" Value=""/>`).join('\n          ')}
        </RegistryKey>
      </Component>
    </ComponentGroup>`

/** Adds it to the last group of components of the WiX project at `path`. */
export default async function addOpenWith(path) {
  const project = await readFile(path, 'utf8')
  if (project.split('</ComponentGroup>').length !== 2)
    throw new Error('The MSI’s project has another shape than expected.')
  await writeFile(
    path,
    project.replace('</ComponentGroup>', () => openWith.trimStart()),
  )
}
