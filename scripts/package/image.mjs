// Runs the steps of examples/image/Dockerfile where there is no Docker: in a copy of this Debian that is thrown away, without
// Node. Then it runs the image as the compose file does: a user without a home, a root that cannot be written, and a volume.
//   npm run package:image [-- --packages release]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { optionsOf } from '../script-options.mjs';
import { makePackages } from './package.mjs';
import { cacheOfPackages } from './targets.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The instructions of a Dockerfile, each on one line, in their order. */
export function instructionsOf(text) {
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, ' ');
  return [...lines.matchAll(/^([A-Z]+) +(.+)$/gm)].map(([, name, rest]) => ({ name, rest }));
}

const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;

/** What a Dockerfile makes: its steps as commands of a shell, and how its program is run. */
export function imageOf(text) {
  const image = { steps: [], env: {}, user: '0:0', directory: '/', volumes: [], entry: [] };
  for (const { name, rest } of instructionsOf(text)) {
    if (name === 'RUN') image.steps.push(rest.replace(/^--mount=type=bind,target=\/packages /, ''));
    else if (name === 'ENV') for (const [, key, value] of rest.matchAll(/(\w+)=(\S+)/g)) image.env[key] = value;
    else if (name === 'USER') image.user = rest;
    else if (name === 'WORKDIR') image.directory = rest;
    else if (name === 'VOLUME') image.volumes.push(rest);
    else if (name === 'ENTRYPOINT') image.entry = JSON.parse(rest);
    else if (name !== 'FROM') throw new Error(`${name} is not understood here`);
  }
  return image;
}

/** The words of a service's command or health check, with the variables that it is started with. */
export const wordsOf = (words, variables) =>
  words.map((word) => word.replaceAll(/\$\{(\w+)(?::[^}]*)?\}/g, (_, name) => variables[name] ?? ''));

/** A script that makes the image in a namespace of its own, and runs `inside` in it. */
function scriptFor({ image, packages, inside }) {
  const env = Object.entries(image.env).map(([name, value]) => `${name}=${quoted(value)}`);
  const run = `env -i PATH=/usr/sbin:/usr/bin:/bin ${env.join(' ')} chroot --userspec=${image.user} "$M"`;
  return `set -eu
M=$(mktemp -d /tmp/shopctl-image-XXXXXX)
trap 'umount -R "$M" 2>/dev/null || true; rmdir "$M" 2>/dev/null || true' EXIT
# What is written is in memory, and gone with the namespace. The lower layer is this machine's system.
T=$(mktemp -d /dev/shm/shopctl-image-XXXXXX)
mount -t tmpfs tmpfs "$T"
trap 'umount -R "$M" 2>/dev/null || true; umount -l "$T" || true; rmdir "$M" "$T" 2>/dev/null || true' EXIT
mkdir "$T/upper" "$T/work" "$T/volume"
mount -t overlay overlay -o "lowerdir=/,upperdir=$T/upper,workdir=$T/work" "$M"
mount -t proc proc "$M/proc"
mount --bind /dev "$M/dev"
mount -t tmpfs tmpfs "$M/tmp"
# Debian's image has no Node, and nothing of ours.
find "$M/usr/bin" "$M/usr/local/bin" \\( -name 'node*' -o -name 'npm*' -o -name shopctl \\) -delete
mkdir -p "$M/packages"
mount --bind ${quoted(packages)} "$M/packages"
${image.steps.map((step) => `chroot "$M" /bin/sh -c ${quoted(step)}`).join('\n')}
umount "$M/packages"
# A volume begins with what the image has there.
cp -a "$M${image.volumes[0]}/." "$T/volume/"
chown --reference "$M${image.volumes[0]}" "$T/volume"
chmod --reference "$M${image.volumes[0]}" "$T/volume"
mount --bind "$T/volume" "$M${image.volumes[0]}"
mount -o remount,ro "$M"
inside() { ${run} /bin/sh -c 'cd '${image.directory}' && exec "$@"' sh "$@"; }
# In the background, with the program's own process id.
started() { exec ${run} ${image.entry.map(quoted).join(' ')} "$@"; }
shopctl() { inside ${image.entry.map(quoted).join(' ')} "$@"; }
fail() { echo "package:image: $1" >&2; exit 1; }
${inside}
`;
}

/** What is tried in the image: as the user that it names, with a root that cannot be written. */
function trial({ compose, version }) {
  const { listener } = compose.services;
  const variables = { PUBLIC_URL: 'http://127.0.0.1:4021' };
  // Docker gives each container an address of its own: here the port is another one.
  const listen = [...wordsOf(listener.command, variables), '--port', '4021'].map(quoted).join(' ');
  const [kind, health] = listener.healthcheck.test;
  if (kind !== 'CMD-SHELL') throw new Error(`${kind} is not understood here`);
  return `
[ "$(shopctl --version)" = ${version} ] || fail 'another version'
inside sh -c 'command -v node' && fail 'there is a Node'
inside sh -c 'echo x > /usr/local/x' 2>/dev/null && fail 'the root can be written'
[ "$(inside id -u)" = 10001 ] || fail 'another user'
inside sh -c 'test ! -e ~10001 && test ! -e /nonexistent' || fail 'there is a home'
# The profile of a sandbox in the same image is the account of the listener.
shopctl sandbox start --port 0 --detach --no-console >/dev/null
trap 'shopctl sandbox stop >/dev/null || true; kill "$L" 2>/dev/null || true; wait; umount -R "$M"; umount -l "$T"; rmdir "$M" "$T"' EXIT
L=
ask() { shopctl "$@" --profile sandbox-shop; }
# As in the compose file, from the environment alone: the service, and the key of the shop.
inside /bin/sh -c ${quoted(health.replaceAll('webhooks status', 'webhooks status --profile sandbox-shop'))} >/dev/null 2>&1 && fail 'healthy without a listener'
started ${listen} --json --profile sandbox-shop >"$T/listener" 2>&1 &
L=$!
n=0
until grep -q '"ready"' "$T/listener"; do n=$((n + 1)); [ "$n" -lt 1200 ] || fail "no listener: $(cat "$T/listener")"; sleep 0.1; done
inside /bin/sh -c ${quoted(health.replaceAll('webhooks status', 'webhooks status --profile sandbox-shop'))} >"$T/health" 2>&1 || fail "not healthy: $(cat "$T/health")"
ask mirror sync >/dev/null 2>&1
test -s "$T/volume/state/workspace.db" || fail 'the workspace is not in the volume'
test -d "$T/volume/cache/shopctl/programs" || fail 'the program is not unpacked in the volume'
[ "$(ls "$M/tmp" | wc -l)" -le 1 ] || fail "left in /tmp: $(ls "$M/tmp")"
echo 'package:image: fine: version, user, root, volume, listener and its health'
`;
}

async function main() {
  const usage = `Usage: npm run package:image [-- --packages DIR]

Runs the steps of examples/image/Dockerfile in a chroot, and what the compose file runs. It needs root.

  --packages DIR  packages that are there, instead of making the .deb
`;
  const values = optionsOf(usage, { packages: { type: 'string' } });
  if (process.getuid() !== 0) throw new Error('the image is made in a chroot: run this as root');
  const place = mkdtempSync(join(tmpdir(), 'shopctl-image-'));
  const packages = resolve(values.packages ?? join(place, 'release'));
  try {
    if (values.packages === undefined)
      await makePackages({ out: packages, cache: cacheOfPackages(), only: ['linux-x64', 'deb'] });
    if (!existsSync(packages) || !readdirSync(packages).some((file) => file.endsWith('_amd64.deb')))
      throw new Error(`${packages} has no .deb`);
    const read = (file) => readFileSync(join(root, 'examples/image', file), 'utf8');
    const compose = parse(read('compose.yaml'), { merge: true });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const script = scriptFor({ image: imageOf(read('Dockerfile')), packages, inside: trial({ compose, version }) });
    writeFileSync(join(place, 'image.sh'), script);
    const { status } = spawnSync('unshare', ['--mount', '--propagation', 'private', 'sh', join(place, 'image.sh')], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('the image was not made, or does not do what is said of it');
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
