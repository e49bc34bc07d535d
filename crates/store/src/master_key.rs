//! Which master key a database has: finding it at start, encrypting what earlier versions stored in clear, and rotation.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use sqlx::{AnyConnection, AssertSqlSafe};

use crate::row::Columns;
use crate::seal::{MasterKey, PREFIX};
use crate::{Result, Store, StoreError, credentials, destination, webhook};

/// Where the master key comes from.
#[derive(Clone, Debug, Default)]
pub enum KeySource {
    /// The file `master.key` in the folder of [`Store::open_folder`].
    #[default]
    DataFolder,
    /// A file, created if it is missing and the database has no encrypted values yet.
    File(PathBuf),
    Given(MasterKey),
}

impl KeySource {
    /// The file of a data folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self::File(folder.join(FILE))
    }
}

/// The name of the key file in a data folder.
pub const FILE: &str = "master.key";

/// The row of `secret` that shows whether a key is right.
const CHECK: &str = "master-key-check";
/// The row of `secret` that says that credentials were taken out of the compositions of earlier versions.
const MASKED: &str = "credentials-masked";

/// An encrypted column: its table, the SQL that identifies a row, its name, and the place it is encrypted for.
type Column = (&'static str, &'static str, &'static str, &'static str);

/// Columns that earlier versions wrote in clear.
const ONCE_CLEAR: [Column; 4] = [
    ("secret", "name", "value", "secret.value"),
    ("webhook", "id", "secret", webhook::SECRET),
    ("webhook", "id", "old_secret", webhook::SECRET),
    ("idempotency", "account_id || '/' || key", "body", "idempotency.body"),
];

/// Columns that were always encrypted. Their tables are large: they are not searched at every start.
const ALWAYS_ENCRYPTED: [Column; 6] = [
    ("destination", "id", "credentials", destination::CREDENTIALS),
    ("render", "id", "credentials", "render.credentials"),
    ("project", "id", "credentials", "project.credentials"),
    ("project_version", "id", "credentials", "project_version.credentials"),
    ("preview", "id", "credentials", "preview.credentials"),
    ("preview", "id", "edited_credentials", "preview.edited_credentials"),
];

/// Compositions that can contain URLs with credentials.
const COMPOSITIONS: [(&str, &str); 3] =
    [("render", "input_props"), ("project", "composition"), ("preview", "composition")];

impl Store {
    /// Finds the master key, checks it, and encrypts what is stored in clear.
    pub(crate) async fn unlock(&self, source: &KeySource) -> Result<MasterKey> {
        let check = sqlx::query("SELECT value FROM secret WHERE name = $1")
            .bind(CHECK)
            .fetch_optional(self.reads())
            .await?;
        let check = check.map(|row| row.text("value")).transpose()?;
        let key = match (source, &check) {
            (KeySource::Given(key), _) => key.clone(),
            (KeySource::File(path), Some(check)) => find(path, check)?,
            (KeySource::File(path), None) => read_or_create(path)?,
            (KeySource::DataFolder, _) => return Err(StoreError::NoMasterKey { path: FILE.into() }),
        };
        let mut tx = self.write().await?;
        sqlx::query("INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
            .bind(CHECK)
            .bind(key.seal("secret.value", CHECK, CHECK)?)
            .execute(&mut *tx)
            .await?;
        let check =
            sqlx::query("SELECT value FROM secret WHERE name = $1").bind(CHECK).fetch_one(&mut *tx).await?;
        if !is_right(&key, &check.text("value")?) {
            return Err(StoreError::WrongMasterKey);
        }
        for (table, id, column, place) in ONCE_CLEAR {
            for (row, value) in values(&mut tx, table, id, column, "NOT LIKE").await? {
                replace(&mut tx, table, id, column, (&row, &value), &key.seal(place, &row, &value)?).await?;
            }
        }
        mask_compositions(&mut tx, &key).await?;
        tx.commit().await?;
        Ok(key)
    }

    /// Encrypts every secret under `new` instead of the current key, in one transaction. Processes that run with the
    /// current key can then no longer read them: stop them first. Returns the number of values.
    pub async fn rotate_master_key(&self, new: &MasterKey) -> Result<u64> {
        let mut rotated = 0;
        let mut tx = self.write().await?;
        for (table, id, column, place) in ONCE_CLEAR.into_iter().chain(ALWAYS_ENCRYPTED) {
            for (row, value) in values(&mut tx, table, id, column, "LIKE").await? {
                let text = self.master_key().open(place, &row, &value)?;
                replace(&mut tx, table, id, column, (&row, &value), &new.seal(place, &row, &text)?).await?;
                rotated += 1;
            }
        }
        tx.commit().await?;
        Ok(rotated)
    }

    /// Replaces the key in a file by a new one. An interruption at any time leaves a key that fits.
    pub async fn rotate_master_key_file(&self, path: &Path) -> Result<u64> {
        let new = MasterKey::generate();
        let next = next_file(path);
        write_key(&next, &new)?;
        let rotated = self.rotate_master_key(&new).await?;
        fs::rename(&next, path).map_err(at(path))?;
        Ok(rotated)
    }

    pub(crate) fn seal(&self, column: &str, id: &str, text: &str) -> Result<String> {
        self.master_key().seal(column, id, text)
    }

    pub(crate) fn unseal(&self, column: &str, id: &str, sealed: &str) -> Result<String> {
        self.master_key().open(column, id, sealed)
    }
}

/// The values of a column that are encrypted (`LIKE`) or not (`NOT LIKE`), with the ids of their rows.
async fn values(
    tx: &mut AnyConnection,
    table: &str,
    id: &str,
    column: &str,
    comparison: &str,
) -> Result<Vec<(String, String)>> {
    let sql =
        format!("SELECT {id} AS id, {column} AS value FROM {table} WHERE {column} {comparison} '{PREFIX}%'");
    let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(tx).await?;
    rows.iter().map(|row| Ok((row.text("id")?, row.text("value")?))).collect()
}

/// Replaces a value, unless another process already did.
async fn replace(
    tx: &mut AnyConnection,
    table: &str,
    id: &str,
    column: &str,
    (row, old): (&str, &str),
    new: &str,
) -> Result<()> {
    let sql = format!("UPDATE {table} SET {column} = $1 WHERE {id} = $2 AND {column} = $3");
    sqlx::query(AssertSqlSafe(sql))
        .bind(new.to_owned())
        .bind(row.to_owned())
        .bind(old.to_owned())
        .execute(tx)
        .await?;
    Ok(())
}

/// Once for a database: takes credentials out of the compositions that earlier versions stored.
async fn mask_compositions(tx: &mut AnyConnection, key: &MasterKey) -> Result<()> {
    let first = sqlx::query("INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
        .bind(MASKED)
        .bind(key.seal("secret.value", MASKED, MASKED)?)
        .execute(&mut *tx)
        .await?;
    if first.rows_affected() == 0 {
        return Ok(());
    }
    for (table, column) in COMPOSITIONS {
        let sql = format!("SELECT id, {column} AS value FROM {table} WHERE {column} LIKE '%://%@%'");
        for row in sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut *tx).await? {
            let (id, mut value) = (row.text("id")?, row.json("value")?);
            let Some(taken) = credentials::take_from([(column, &mut value)]) else { continue };
            let sealed = taken.seal(key, &format!("{table}.credentials"), &id)?;
            let sql = format!("UPDATE {table} SET {column} = $2, credentials = $3 WHERE id = $1");
            sqlx::query(AssertSqlSafe(sql))
                .bind(id)
                .bind(value.to_string())
                .bind(sealed)
                .execute(&mut *tx)
                .await?;
        }
    }
    // A request is only shown, and an ended render is not made again.
    for row in
        sqlx::query("SELECT id, request FROM render WHERE request LIKE '%://%@%'").fetch_all(&mut *tx).await?
    {
        let mut request = row.json("request")?;
        credentials::take(&mut request);
        sqlx::query("UPDATE render SET request = $2 WHERE id = $1")
            .bind(row.text("id")?)
            .bind(request.to_string())
            .execute(&mut *tx)
            .await?;
    }
    sqlx::query("UPDATE render SET credentials = NULL WHERE status IN ('COMPLETED', 'FAILED')")
        .execute(tx)
        .await?;
    Ok(())
}

fn is_right(key: &MasterKey, check: &str) -> bool {
    key.open("secret.value", CHECK, check).is_ok()
}

/// The key of the file that the database was encrypted with. A rotation that was interrupted after its transaction
/// left the new key beside the old one.
fn find(path: &Path, check: &str) -> Result<MasterKey> {
    let next = next_file(path);
    let new = read(&next)?.filter(|key| is_right(key, check));
    if let Some(key) = new {
        fs::rename(&next, path).map_err(at(path))?;
        return Ok(key);
    }
    match read(path)? {
        Some(key) if is_right(&key, check) => Ok(key),
        Some(_) => Err(StoreError::WrongMasterKey),
        None => Err(StoreError::NoMasterKey { path: path.to_owned() }),
    }
}

/// Where a rotation writes the new key first.
pub fn next_file(path: &Path) -> PathBuf {
    path.with_extension("key.new")
}

fn at(path: &Path) -> impl Fn(io::Error) -> StoreError + '_ {
    |source| StoreError::File { path: path.to_owned(), source }
}

/// The key in a file, if there is the file.
fn read(path: &Path) -> Result<Option<MasterKey>> {
    match fs::read_to_string(path) {
        Ok(text) => match MasterKey::from_hex(&text) {
            Some(key) => Ok(Some(key)),
            None => Err(StoreError::MalformedMasterKey { path: path.to_owned() }),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(StoreError::File { path: path.to_owned(), source }),
    }
}

fn read_or_create(path: &Path) -> Result<MasterKey> {
    if let Some(key) = read(path)? {
        return Ok(key);
    }
    let draft = path.with_extension(format!("key.{}", crate::id::secret(12)));
    write_key(&draft, &MasterKey::generate())?;
    // A link does not replace the key that another process may have just created.
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft).map_err(at(&draft))?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(at(path)(error)),
        _ => read(path)?.ok_or_else(|| StoreError::NoMasterKey { path: path.to_owned() }),
    }
}

/// Writes a key to a file that only its owner can read.
pub fn write_key(path: &Path, key: &MasterKey) -> Result<()> {
    let write = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        writeln!(file, "{}", key.to_hex())?;
        file.sync_all()?;
        path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    };
    write().map_err(at(path))
}
