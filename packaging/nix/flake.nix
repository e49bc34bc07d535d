# A Nix flake: nix run path:dist/nix -- serve. scripts/release fills in the places with @. Builds the source archive, which contains the fonts,
# the dashboard and the player; the repository does not.
{
  description = "Rondo renders videos from JSON";

  # A Rust that Cargo.toml asks for is newer than that of most releases.
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  # Has FFmpeg 6, which newer ones may drop.
  inputs.nixpkgs-ffmpeg.url = "github:NixOS/nixpkgs/nixos-25.05";
  inputs.rondo = {
    url = "@URL@/releases/v@VERSION@/rondo-@VERSION@-source.tar.gz";
    flake = false;
  };

  outputs =
    { self, nixpkgs, nixpkgs-ffmpeg, rondo }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      forEach = make: nixpkgs.lib.genAttrs systems (system:
        make nixpkgs.legacyPackages.${system} nixpkgs-ffmpeg.legacyPackages.${system}.ffmpeg_6-headless);
    in
    {
      packages = forEach (pkgs: ffmpeg: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "rondo";
          version = "@VERSION@";
          src = rondo;
          cargoLock.lockFile = "${rondo}/Cargo.lock";
          cargoBuildFlags = [ "-p" "rondo-cli" ];
          # The tests need Chromium, FFmpeg's programs and a network.
          doCheck = false;
          nativeBuildInputs = [ pkgs.makeWrapper pkgs.installShellFiles pkgs.pkg-config pkgs.rustPlatform.bindgenHook ];
          buildInputs = [ ffmpeg ];
          postInstall = ''
            mkdir -p $out/share/rondo/assets/fonts $out/share/rondo/templates $out/share/rondo/docs/gallery
            cp -R assets/fonts/web $out/share/rondo/assets/fonts/
            cp docs/gallery/*.png $out/share/rondo/docs/gallery/
            for meta in templates/*/meta.toml; do cp -R "$(dirname "$meta")" $out/share/rondo/templates/; done
            for shell in bash zsh fish; do
              $out/bin/rondo completions $shell >rondo.$shell
              installShellCompletion --cmd rondo --$shell rondo.$shell
            done
            $out/bin/rondo man $out/share/man/man1
            # FFmpeg is loaded at run time.
            wrapProgram $out/bin/rondo --prefix LD_LIBRARY_PATH : ${pkgs.lib.makeLibraryPath [ ffmpeg ]}
          '';
          meta = {
            description = "Renders videos from JSON: command line, service, API and dashboard";
            license = [ pkgs.lib.licenses.mit pkgs.lib.licenses.asl20 ];
            platforms = systems;
            mainProgram = "rondo";
          };
        };
      });
    };
}
