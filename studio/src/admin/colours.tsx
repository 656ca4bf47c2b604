import { say } from "./say.ts";
import { type Theme, tokens } from "./settings.ts";

const modes = ["light", "dark"] as const;

/** The colours of the site, for light and dark screens. */
export function Colours({ theme, onChange }: { theme: Theme; onChange: (theme: Theme) => void }) {
  const names = [...new Set([...Object.keys(tokens), ...modes.flatMap((m) => Object.keys(theme[m]))])];
  const set = (mode: (typeof modes)[number], name: string, value: string | undefined) => {
    const { [name]: _, ...rest } = theme[mode];
    onChange({ ...theme, [mode]: value === undefined ? rest : { ...rest, [name]: value } });
  };
  return (
    <table class="admin-colours">
      <caption>{say("colours")}</caption>
      <thead>
        <tr>
          <th scope="col">{say("colour")}</th>
          {modes.map((m) => (
            <th key={m} scope="col">
              {say(m)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            {modes.map((m) => {
              const own = theme[m][name];
              return (
                <td key={m}>
                  <span class="row">
                    <input type="color" aria-label={say("colourOf", name, say(m))} value={long(own ?? tokens[name]?.[m] ?? "#000000")} onChange={(e) => set(m, name, e.currentTarget.value)} />
                    {own !== undefined && (
                      <button type="button" class="button plain" aria-label={say("defaultOf", name, say(m))} onClick={() => set(m, name, undefined)}>
                        {say("useDefault")}
                      </button>
                    )}
                  </span>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A colour with six digits, as fields of browsers have it. */
const long = (colour: string) => (colour.length === 4 ? colour.replace(/[0-9a-f]/gi, "$&$&") : colour);
