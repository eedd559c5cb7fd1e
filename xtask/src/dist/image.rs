//! An image for containers in the OCI layout, in a tar, made without a daemon. Its single layer has the
//! program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::materials;
use super::release::Release;
use super::system::{self, json};
use crate::result::Result;
use crate::root::root;

/// Packs the image, and checks that its program runs with the layer as the root folder.
pub(super) fn pack(release: &Release) -> Result<Vec<PathBuf>> {
    let layer_root = release.scratch("image-layer")?;
    system::copy(&release.program(), &layer_root.join("usr/bin/dehusk"))?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        system::copy(
            &root().join(name),
            &layer_root.join("usr/share/doc/dehusk").join(name),
        )?;
    }
    system::copy(
        &materials::path(release),
        &layer_root.join("usr/share/doc/dehusk/sbom.cdx.json"),
    )?;
    // For temporary files, and for volumes that the user mounts.
    for name in ["tmp", "data"] {
        let folder = layer_root.join(name);
        fs::create_dir_all(&folder)?;
        #[cfg(unix)]
        fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o1777))?;
    }
    let layout = release.scratch("image")?;
    let blobs = layout.join("blobs/sha256");
    fs::create_dir_all(&blobs)?;
    let plain = release.scratch("image-plain")?.join("layer.tar");
    system::tar(&layer_root, &plain, &release.epoch, false)?;
    // The configuration has the digest of the uncompressed layer, the manifest that of the compressed one.
    let content = system::sha256(&plain)?;
    let packed = plain.with_extension("tar.gz");
    // Both tars have the same content, since all their times and owners are fixed.
    system::tar(&layer_root, &packed, &release.epoch, true)?;
    let layer = blob(&blobs, &fs::read(&packed)?, &packed)?;

    // The image format uses Go's names of architectures.
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let created = system::output(
        "date",
        &[
            "--utc",
            "--date",
            &format!("@{}", release.epoch),
            "+%Y-%m-%dT%H:%M:%SZ",
        ],
    )?;
    let config = format!(
        "{{\"created\":{},\"architecture\":{},\"os\":\"linux\",\"config\":{{\"Entrypoint\":[\"/usr/bin/dehusk\"],\"Cmd\":[\"--help\"],\
         \"WorkingDir\":\"/data\",\"Labels\":{{\"org.opencontainers.image.title\":\"dehusk\",\"org.opencontainers.image.version\":{},\
         \"org.opencontainers.image.licenses\":\"MIT OR Apache-2.0\"}}}},\"rootfs\":{{\"type\":\"layers\",\"diff_ids\":[\"sha256:{content}\"]}}}}",
        json(created.trim()),
        json(architecture),
        json(&release.version),
    );
    let config = text_blob(&layout, &config)?;
    let manifest = format!(
        "{{\"schemaVersion\":2,\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\",\"config\":{},\"layers\":[{}]}}",
        described("application/vnd.oci.image.config.v1+json", &config),
        described("application/vnd.oci.image.layer.v1.tar+gzip", &layer),
    );
    let manifest = text_blob(&layout, &manifest)?;
    // The index refers to the manifest by digest. The annotation adds the tag that image tools show.
    let named = format!(
        ",\"annotations\":{{\"org.opencontainers.image.ref.name\":{}}}}}",
        json(&release.version)
    );
    let entry = described("application/vnd.oci.image.manifest.v1+json", &manifest);
    let index = format!(
        "{{\"schemaVersion\":2,\"mediaType\":\"application/vnd.oci.image.index.v1+json\",\"manifests\":[{}{named}]}}",
        entry.trim_end_matches('}'),
    );
    fs::write(layout.join("index.json"), index)?;
    fs::write(layout.join("oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}")?;
    let image = release.out.join(format!("{}-oci.tar", release.stem()));
    system::tar(&layout, &image, &release.epoch, false)?;

    // The layer is unpacked from the image rather than taken from `layer_root`, so that the packing is
    // checked too.
    let empty = release.scratch("image-root")?;
    let mut unpack = Command::new("tar");
    unpack
        .arg("--extract")
        .arg("--file")
        .arg(blobs.join(&layer.digest))
        .arg("--directory")
        .arg(&empty);
    system::read(&mut unpack)?;
    system::try_in_root(&empty, "/usr/bin/dehusk", "the layer of the image")?;
    Ok(vec![image])
}

/// A part of the image, identified by its digest.
struct Blob {
    digest: String,
    bytes: usize,
}

/// Stores `bytes`, the content of `file`, under their digest.
fn blob(blobs: &Path, bytes: &[u8], file: &Path) -> Result<Blob> {
    let digest = system::sha256(file)?;
    fs::write(blobs.join(&digest), bytes)?;
    Ok(Blob {
        digest,
        bytes: bytes.len(),
    })
}

/// Stores a text under its digest.
fn text_blob(layout: &Path, text: &str) -> Result<Blob> {
    let draft = layout.join("draft");
    fs::write(&draft, text)?;
    let stored = blob(&layout.join("blobs/sha256"), text.as_bytes(), &draft)?;
    fs::remove_file(draft)?;
    Ok(stored)
}

/// Returns the descriptor of a blob: its media type, digest and size, as a JSON object.
fn described(kind: &str, blob: &Blob) -> String {
    format!(
        "{{\"mediaType\":{},\"digest\":\"sha256:{}\",\"size\":{}}}",
        json(kind),
        blob.digest,
        blob.bytes
    )
}
