/** What a new password revokes beside the other sessions. */
import { Checkbox } from "@/ui/field";

export interface Revocation {
  revokeKeys: boolean;
  revokeApps: boolean;
}

export const REVOKE_NOTHING: Revocation = { revokeKeys: false, revokeApps: false };

export function RevokeOptions({ value, onChange }: { value: Revocation; onChange: (value: Revocation) => void }) {
  return (
    <div className="flex flex-col gap-2.5">
      <Checkbox
        label="Revoke all API keys"
        checked={value.revokeKeys}
        onChange={(event) => onChange({ ...value, revokeKeys: event.target.checked })}
      />
      <Checkbox
        label="Disconnect all apps"
        checked={value.revokeApps}
        onChange={(event) => onChange({ ...value, revokeApps: event.target.checked })}
      />
    </div>
  );
}
